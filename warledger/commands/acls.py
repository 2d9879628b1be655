"""`warledger topics acls`: who may do what in the cluster."""

import sys

import click

from shared.adapters import kafka_place
from warledger.local import settings
from warledger.output import DIFFERENCE, fail, show, show_table

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
    1 if something is missing and was not put in force, as it is where the brokers refuse nobody.
    """
    place = kafka_place(settings())
    from shared.log import kafka_acls  # its client is loaded by a command that uses it, and by no other

    try:
        found = kafka_acls.apply(place) if change else kafka_acls.missing(place)
    except kafka_acls.NobodyRefused as error:
        fail(DIFFERENCE, str(error))
    if not found:
        show({"missing": []}, "everything is in force")
        return
    show_table([{**entry._asdict(), "operations": ", ".join(entry.operations)} for entry in found], COLUMNS)
    if not change:
        sys.exit(DIFFERENCE)
