"""`warledger topics acls`: who may do what in the cluster."""

import sys

import click

from shared.adapters import kafka_place
from shared.log.kafka_acls import apply as put_in_force
from shared.log.kafka_acls import missing
from warledger.local import settings
from warledger.output import DIFFERENCE, show, show_table

COLUMNS = {
    "principal": "principal",
    "resource": "resource",
    "name": "name",
    "pattern": "pattern",
    "operations": "operations",
}


@click.command()
@click.option("--apply", "change", is_flag=True, help="Put in force what is missing; nothing is taken away.")
def acls(change: bool) -> None:
    """Show which rights of deploy/kafka-acls.yaml the cluster lacks, or grant them.

    For an administrator of the cluster, who may ask for its access list and change it (WARLEDGER_KAFKA_USER). Ends with
    1 if something is missing and was not put in force.
    """
    place = kafka_place(settings())
    found = put_in_force(place) if change else missing(place)
    if not found:
        show({"missing": []}, "everything is in force")
        return
    show_table([{**entry._asdict(), "operations": ", ".join(entry.operations)} for entry in found], COLUMNS)
    if not change:
        sys.exit(DIFFERENCE)
