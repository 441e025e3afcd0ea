"""Of which lists a program reads the newest elements alone, and trains by them."""

from __future__ import annotations

import ast
import os

import pytest

from gradwatch_agent.source.flow.newest import newest_read


def far_back(tmp_path, code: str, keys: int = 0) -> list[str]:
    file = tmp_path / "job.py"
    file.write_text(f"self.kept.append(out)\n{code}\n")
    os.utime(file, (1_000_000_000, 1_000_000_000))  # older than the process: its text is read
    return [ast.unparse(each) for each in newest_read("kept", keys, [str(file)])]


@pytest.mark.parametrize(
    "code",
    [
        "loss = mse(self.kept[-1], target)",
        "last = self.kept[-1]",
        "rows = self.kept\nloss = rows[-1].mean()",
        "print(self.kept[-1].item())\nloss = self.kept[-1].mean()",
    ],
)
def test_the_newest_is_trained_through(tmp_path, code):
    assert set(far_back(tmp_path, code)) == {"1"}


@pytest.mark.parametrize(
    "code",
    [
        "",
        "print(f'{self.kept[-1]:.3f}')",
        "best = float(self.kept[-1])",
        "old = self.kept[-1].detach()",
        "loss = mse(self.kept[-1], self.kept[0])",
        "loss = mse(self.kept[-1], self.kept[-3:-1])",
        "loss = self.kept[-1].mean()\nplot(self.kept)",
        "loss = self.kept[-1].mean()\nrows = self.kept\nmean = sum(rows) / 3",
        "loss = self.kept[-1].mean()\nrows = self.kept\nself.kept = rows\nfor row in rows: pass",
    ],
)
def test_more_is_read_or_nothing_is_trained(tmp_path, code):
    assert not far_back(tmp_path, code)


def test_the_newest_of_lists_under_keys(tmp_path):
    assert far_back(tmp_path, "loss = self.kept[name][-1].mean()", keys=1) == ["1"]


@pytest.mark.parametrize(
    "code",
    [
        "loss = torch.cat(self.kept[name]).mean() + self.kept[name][-1]",
        "loss = self.kept[name][-1]\nfor name, rows in self.kept.items(): plot(rows)",
    ],
)
def test_more_is_read_of_lists_under_keys(tmp_path, code):
    assert not far_back(tmp_path, code, keys=1)


@pytest.mark.parametrize(
    ("code", "far"),
    [
        ("loss = mse(self.kept[-1], self.kept[-2])", ["1", "2"]),
        ("def forward(self, x):\n    return self.kept[-len(self.taps):]", ["len(self.taps)"]),
        ("def last(back=1):\n    return self.kept[-back]", ["back"]),
    ],
)
def test_the_newest_few_are_trained_through(tmp_path, code, far):
    assert far_back(tmp_path, code) == far
