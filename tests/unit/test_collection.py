"""Garbage collection pauses where much is built, and comes back whatever happens."""

import gc

import pytest

from shared.collection import paused, settle


def test_collection_pauses_inside_and_goes_on_behind() -> None:
    with paused():
        assert not gc.isenabled()
        with paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_collection_goes_on_after_a_failure() -> None:
    with pytest.raises(LookupError), paused():
        raise LookupError("built in vain")
    assert gc.isenabled()


def test_what_settled_is_passed_by_until_it_settles_again() -> None:
    gc.unfreeze()
    assert gc.get_freeze_count() == 0
    settle()
    assert gc.get_freeze_count() > 1000
