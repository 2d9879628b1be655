"""Certificates, and the turns, rounds or years whose resolutions they certify."""

from marshmallow import INCLUDE, Schema, fields

from services.gateway.schemas.fields import integer, text
from services.gateway.schemas.writes import SeenEvent


class CertificateView(Schema):
    """The public certificate of one resolution."""

    class Meta:
        unknown = INCLUDE

    k = integer("Number of the resolution, from 1", required=True)


class CertificateList(Schema):
    """A page of certificates."""

    certificates = fields.List(fields.Nested(CertificateView), required=True)
    next = integer("Give it as `after` for the next page; null at the end", required=True, allow_none=True)


class ReportEntry(SeenEvent):
    """A public event of a turn."""

    at = integer("UTC milliseconds of the input that brought it about", required=True)


class RuledCertificate(CertificateView):
    """A certificate with the ruling on its resolution."""

    ruling = text("An operator's ruling on it, if any", required=True, allow_none=True)


class TurnView(Schema):
    """What everybody may know of one turn, round or year."""

    n = integer("Its number", required=True)
    period = text("What the game calls it: turn, round, year", required=True)
    certificate = fields.Nested(CertificateView, required=True, metadata={"description": "Of its last resolution"})
    certificates = fields.List(
        fields.Nested(RuledCertificate), required=True, metadata={"description": "Of all its resolutions, in order"}
    )
    leaves = fields.List(
        fields.String(),
        required=True,
        metadata={
            "description": "Of the inputs in the digests, sorted for each resolution; with the first page of the "
            "report alone, empty with every other"
        },
    )
    ruling = text("An operator's ruling on the last resolution, if any", required=True, allow_none=True)
    report = fields.List(fields.Nested(ReportEntry), required=True)
    names = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "Name behind each account id in this page of the report"},
    )
    next = integer("Give it as `after` for the next page; null at the end", required=True, allow_none=True)
