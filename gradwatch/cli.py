"""The command line: arguments, help, and how an end becomes an exit code.

Owns the names users type. Must not know how a verb works: the verb's module is imported when
it is called, so that no verb pays for what another needs.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from gradwatch.commands import errors
from gradwatch.parsing import Check, Verbs

if TYPE_CHECKING:
    from gradwatch_agent.wire import Level

_KEY = click.option(
    "--key",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What a job on TCP knows you by: a FILE.secret made by gradwatch keygen.",
)
_HELP = {"help_option_names": ["-h", "--help"]}


@click.group(cls=Verbs, invoke_without_command=True, context_settings=_HELP)
@click.version_option(package_name="gradwatch", message="%(prog)s %(version)s")
@click.pass_context
def gradwatch(context: click.Context) -> int:
    """Watch PyTorch training jobs and the autograd graphs they build.

    Without a command: the dashboard on every job of yours on this machine.
    """
    if context.invoked_subcommand is not None:
        return errors.NOTHING_FOUND
    from gradwatch.commands import attach

    return attach.run(())


@gradwatch.command()
@click.argument("targets", metavar="TARGET...", nargs=-1, required=True)
@_KEY
def attach(targets: tuple[str, ...], key: Path | None) -> int:
    """Open the dashboard on these jobs.

    TARGET is a PID, a job's name, ssh://[user@]host[:port][/job] (your jobs there, over your own
    ssh), tcp://host:port, or listen://host:port (jobs that call us there).
    """
    from gradwatch.commands import attach

    return attach.run(targets, key)


@gradwatch.command()
@click.argument("targets", metavar="[TARGET...]", nargs=-1)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=0,
    help="On which port of 127.0.0.1 to listen; otherwise on any free one.",
)
@_KEY
def serve(targets: tuple[str, ...], port: int, key: Path | None) -> int:
    """Serve the dashboard as a page, to a browser on this machine.

    It prints a link that opens once. TARGET is as for attach; without one, every job of yours on
    this machine. ssh asks nothing here.
    """
    from gradwatch.commands import serve

    return serve.run(targets, port, key)


@gradwatch.command(hidden=True)
@click.argument("targets", nargs=-1)
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path))
def page(targets: tuple[str, ...], key: Path | None) -> int:
    """Draw the dashboard for a page that gradwatch serve serves."""
    from gradwatch.commands import serve

    return serve.show_page(targets, key)


@gradwatch.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON list of objects.")
def list_jobs(*, as_json: bool) -> int:
    """List your running jobs on this machine."""
    from gradwatch.commands import list as command

    return command.run(as_json=as_json)


@gradwatch.command()
@click.argument("job", required=False)
@click.option("--list", "listing", is_flag=True, help="Name the runs of which something is kept.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def report(job: str | None, *, listing: bool, as_json: bool) -> int:
    """Tell what was found in a run that has ended, watched or not.

    JOB is a job's name or PID, or a file of alerts; without it, the run last heard of.
    """
    from gradwatch.commands import report

    return report.run(job, listing=listing, as_json=as_json)


@gradwatch.command(context_settings={"allow_interspersed_args": False})
@click.option("--name", help="The job's name; otherwise its script's.")
@click.option(
    "--tui",
    is_flag=True,
    help="Draw the dashboard meanwhile, with CMD's output in a pane; CMD has no input then.",
)
@click.argument("command", metavar="-- CMD...", nargs=-1, required=True, type=click.UNPROCESSED)
def run(command: tuple[str, ...], name: str | None, *, tui: bool) -> int:
    """Run CMD with the agent in it and in its ranks.

    Output, input, signals and exit code stay CMD's own.
    """
    from gradwatch.commands import run

    return run.run(command, name, tui=tui)


@gradwatch.command()
@click.argument("targets", metavar="[TARGET...]", nargs=-1)
@click.option(
    "--log",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append every change of a finding to this JSONL file.",
)
@click.option(
    "--fail-on",
    type=click.Choice(["info", "warning", "critical"]),
    help="When the watching ends (--until-exit): exit with 1 if a finding of this level or above "
    "was seen.",
)
@click.option("--until-exit", is_flag=True, help="End when every watched job has ended.")
@_KEY
def watch(
    targets: tuple[str, ...],
    log: Path | None,
    fail_on: Level | None,
    key: Path | None,
    *,
    until_exit: bool,
) -> int:
    """Print findings as they come, without a dashboard.

    TARGET is a PID, a job's name, ssh://[user@]host[:port][/job], tcp://host:port or
    listen://host:port; without one, every job of yours on this machine is watched, those that
    start later too. ssh asks nothing here. With --until-exit and no TARGET, the first job is
    waited for if none runs yet.
    """
    from gradwatch.commands import watch

    return watch.run(targets, log, fail_on, key, until_exit=until_exit)


@gradwatch.command(cls=Check, context_settings={"allow_interspersed_args": False})
@click.option(
    "--iterations",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="After how many iterations to stop the script.",
)
@click.option(
    "--json",
    "json_to",
    metavar="[=FILE]",
    help="One JSON object at the end of the output, or into FILE.",
)
@click.option("-m", "module", metavar="MODULE", help="Check a module, as python -m runs it.")
@click.argument("script", metavar="SCRIPT [ARGS...]", nargs=-1, type=click.UNPROCESSED)
def check(script: tuple[str, ...], iterations: int, json_to: str | None, module: str | None) -> int:
    """Run SCRIPT for some iterations, then report what is wrong.

    Every detector looks at full detail. The script is stopped by a SystemExit: what it does in a
    `finally` is done, and a checkpoint that it saves there is one of so few iterations.

    Exit code: 0 nothing found, 1 findings of warning or above, 4 the script failed for a reason
    that is no finding.
    """
    from gradwatch.commands import check

    if module is None and not script:
        raise click.UsageError("which script?")
    command = ("-m", module, *script) if module is not None else script
    return check.run(command, module or script[0], iterations, json_to)


@gradwatch.command()
@click.argument("scenario", required=False)
@click.option("--list", "listing", is_flag=True, help="Name the scenarios and end.")
@click.option("--headless", is_flag=True, help="Print findings instead of drawing.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="How long; without it, 20 when headless, else until you leave.",
)
def demo(scenario: str | None, seconds: float | None, *, listing: bool, headless: bool) -> int:
    """Run a real training job with a real leak, and watch it."""
    from gradwatch.commands import demo

    if listing:
        return demo.show_list()
    return demo.run(scenario, seconds, headless=headless)


@gradwatch.command()
@click.argument("directory", required=False, type=click.Path(file_okay=False, path_type=Path))
@click.option("--viewer", default="viewer", show_default=True, help="Who is to get the key.")
def keygen(directory: Path | None, viewer: str) -> int:
    """Make keys for a job that listens on TCP.

    There are two: the job's own, and one for a viewer.

    DIRECTORY is where the agent looks for them: GRADWATCH_KEYS, else ~/.config/gradwatch.
    """
    from gradwatch.commands import keygen

    return keygen.run(directory, viewer)


@gradwatch.command(hidden=True)
@click.argument(
    "directory", default="screenshots", type=click.Path(file_okay=False, path_type=Path)
)
def screenshots(directory: Path) -> int:
    """Make the pictures of the documentation from the demo's own runs."""
    from gradwatch.commands import chromium, dashboard

    dashboard.require_extra()
    from gradwatch.commands import page_shot, screenshots

    screenshots.run(directory)
    if chromium.program() is None:
        click.echo(f"gradwatch: no picture of the page: {chromium.INSTALL}", err=True)
    else:
        page_shot.run(directory)
    return errors.NOTHING_FOUND


def main() -> NoReturn:
    """The entry point."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):  # not a text stream of Python's own
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.exit(_outcome())


def _outcome() -> int:
    try:
        code: int = gradwatch.main(prog_name="gradwatch", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, errors.ReaderGone):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
        return errors.ReaderGone.exit_code
    except click.ClickException as error:
        click.echo(_sentence(error), err=True)
        return error.exit_code
    except click.Abort:
        return errors.INTERRUPTED
    return code


def _sentence(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    name = context.command_path if context else "gradwatch"
    help_hint = f" See {name} --help." if context else ""
    return f"{name}: {error.format_message()}{help_hint}"
