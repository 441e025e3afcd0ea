"""How a command line is read where click alone would read it wrongly.

Must not know what any verb does.
"""

from __future__ import annotations

from typing import Any

import click

from gradwatch.commands import errors


class Verbs(click.Group):
    """`gradwatch` and its verbs."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Where somebody gives it a script, it says what for."""
        if args[0].endswith(".py") and self.get_command(ctx, args[0]) is None:
            script = args[0]
            raise click.UsageError(
                f"{script} is a script: gradwatch check {script}, or "
                f"gradwatch run -- python {script}"
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Click itself would make a reader's leaving a 1, which means findings here."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            raise errors.ReaderGone("") from None


class Check(click.Command):
    """`gradwatch check`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """`--json` takes a value only after an equals sign: what follows a space is the script."""
        for index, argument in enumerate(args):
            if argument == "--json":
                args[index] = "--json=-"
            elif not argument.startswith("-") and args[index - 1 : index] != ["--iterations"]:
                break  # the script; all that follows is its own
            elif argument == "-m":
                args.insert(index + 2, "--")  # what follows the module is its own, too
                break
        return super().parse_args(ctx, args)
