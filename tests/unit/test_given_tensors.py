"""Whether whoever calls a function gives it tensors alone."""

import os
import textwrap

import pytest

from gradwatch_agent.source.gradients.graphless import is_given_tensors


def program(tmp_path, call: str, beside: str = "") -> str:
    file = tmp_path / "program.py"
    text = f"""
        import torch

        class Curve:
            def note(self, worth, n=1):
                self.total += worth * n

        def train(curve, model, share):
            loss = torch.nn.functional.mse_loss(model(1), model(2))
            risk = model(3)
            risk.backward()
            {call}
            {beside or "pass"}
    """
    file.write_text(textwrap.dedent(text))
    os.utime(file, (0, 0))
    return str(file)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("curve.note(loss)", True),
        ("curve.note(risk, n=4)", True),
        ("curve.note(worth=0.5 * loss)", True),
        ("curve.note(torch.stack([risk]).mean())", True),
        ("curve.note(loss.item())", False),
        ("curve.note(share)", False),
        ("curve.note(float(loss))", False),
        ("curve.note(*share)", False),
        ("pass", False),
    ],
)
def test_a_parameter_that_is_given_tensors_alone(tmp_path, call, told):
    file = program(tmp_path, call)
    assert is_given_tensors(file, 6, "worth", [file]) is told


def test_one_call_that_gives_something_else_is_enough(tmp_path):
    file = program(tmp_path, "curve.note(loss)", "curve.note(share)")
    assert not is_given_tensors(file, 6, "worth", [file])
