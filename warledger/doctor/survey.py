"""One walk through journal and chronicle: can every record be read, and does a position follow each other one."""

from collections.abc import Collection

from shared.batches import at
from shared.config import Settings
from shared.events import JournalEvent, Unreadable, public_form, unpack
from shared.host_events import CHAIN_STARTED, CREATED, JUDGEMENTS, MOVED, RELEASED
from shared.log import CHRONICLE, PARTITIONS, TURNS, Log, Record, TopicPartition, partition_of
from shared.log.reading import holds
from shared.upcasters import upcast_event
from warledger.doctor.finding import FAULT, Finding, GameSurvey, Survey
from warledger.journals import records
from warledger.local import local_log

_MEND = (
    "the resolver stops such a partition by itself and skips nothing; put the files back from a backup. From Kafka"
    " nothing is taken away: move the partition's games to another prefix (docs/operators.md, A record that cannot be"
    " read), and find out who can write there"
)


def survey(settings: Settings) -> Survey:
    """Walk through everything that was judged. Raises what the log raises."""
    found = Survey()
    with local_log(settings) as log:
        for partition in range(PARTITIONS):
            _walk(log, TopicPartition(TURNS, partition), found)
        counted = dict.fromkeys(found.games, 0)
        for partition in range(PARTITIONS):
            _count(log, TopicPartition(CHRONICLE, partition), counted, found)
        wanted = {game: found.games.get(game, GameSurvey()).public_n for game in counted}
        differing = [game for game, count in counted.items() if count != wanted[game]]
        hidden = _hidden(log, {partition_of(game) for game in differing})
    for game in differing:
        if partition_of(game) not in hidden:
            said = f"the chronicle of {game} has {counted[game]} events, and its journal has {wanted[game]} public ones"
            found.findings.append(Finding("gaps", FAULT, said, _MEND))
    return found


def _hidden(log: Log, partitions: Collection[int]) -> set[int]:
    """Those of these partitions of which an open transaction holds back one topic and shows the other."""
    places = [TopicPartition(topic, number) for topic in (TURNS, CHRONICLE) for number in partitions]
    return {hold.place.partition for hold in holds(log, places)} if places else set()


def _walk(log: Log, place: TopicPartition, found: Survey) -> None:
    for record in records(log, place):
        for event in _events(record, found):
            game = found.games.setdefault(record.key, GameSurvey())
            if event.n != game.n + 1:
                said = f"event {event.n} of {record.key} follows event {game.n} ({at(record)})"
                found.findings.append(Finding("gaps", FAULT, said, _MEND))
            _take(game, upcast_event(event))


def _take(game: GameSurvey, event: JournalEvent) -> None:
    data = event.data
    game.n = event.n
    game.public_n += public_form(event) is not None
    if event.type in (CREATED, CHAIN_STARTED):
        game.key_id = data["key_id"]
    elif event.type.startswith("warledger.host.game.quarantined."):
        game.quarantined = data["cause"]
    elif event.type == RELEASED:
        game.quarantined = None
    elif event.type in JUDGEMENTS:
        game.talked = game.talked or {"message", "hash"} <= data["input"]["payload"].keys()
    elif event.type == MOVED and data["reason"] == "import":
        game.talked, game.talked_elsewhere = False, game.talked_elsewhere or game.talked


def _count(log: Log, place: TopicPartition, counted: dict[str, int], found: Survey) -> None:
    for record in records(log, place):
        for event in _events(record, found):
            before = counted.get(record.key, 0)
            if event.n != before + 1:
                said = f"public event {event.n} of {record.key} follows {before} ({at(record)})"
                found.findings.append(Finding("gaps", FAULT, said, _MEND))
            counted[record.key] = event.n


def _events(record: Record, found: Survey) -> tuple[JournalEvent, ...]:
    try:
        batch = unpack(record.value)
    except Unreadable as error:
        found.findings.append(Finding("journal", FAULT, f"{at(record)} cannot be read: {error}", _MEND))
        return ()
    if batch.game != record.key:
        said = f"{at(record)} stands under {record.key!r} and tells of {batch.game!r}"
        found.findings.append(Finding("journal", FAULT, said, _MEND))
        return ()
    return batch.events
