"""Commands that need nothing but the environment: ``verify``."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def verify(file: Path) -> None:
    """Replay every game of a record FILE and compare what it says.

    Names the first wrong decision, trace entry or result of each bad record.  Exit code 1 if any record is bad.
    """
    from .cli import printable
    from .errors import BoardError, RecordError
    from .record import game_of_record, read_lines
    from .record import verify as check

    games = bad = 0
    lines = read_lines(file)
    while True:
        try:
            number, record = next(lines)
        except StopIteration:
            break
        except RecordError as error:
            raise click.ClickException(f"{file}: {error} ({games} games before it were read)") from None
        games += 1
        try:
            check(game_of_record(record), record)
        except (RecordError, BoardError) as error:
            bad += 1
            click.echo(f"{file}:{number}: {printable(str(error))}", err=True)
    if not games:
        raise click.ClickException(f"{file}: holds no record: expected one JSON object a line")
    if bad:
        raise click.ClickException(f"{bad} of {games} games are wrong")
    click.echo(f"{games} games verified")
