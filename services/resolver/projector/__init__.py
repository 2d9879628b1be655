"""The projector: folds the journal into views (docs/decisions/0005-views.md), as a process beside the resolver."""
