# gradwatch-corpus: kind=graph-held
# holder: self._pending | journal._pending
# first-bad: 1
import io
import json
import tempfile
from functools import partial
from pathlib import Path
from typing import Callable

import torch
import torch.nn as nn
import torch.nn.functional as F

N_MEL, N_PHON, FRAMES = 20, 12, 30


class Journal:
    """Writes the run's records in one go, so the loop never waits for the disk."""

    def __init__(self, target: Path):
        self.target = target
        self._pending: list[Callable[[], dict]] = []

    def defer(self, make: Callable[..., dict], *args):
        self._pending.append(partial(make, *args))  # <- culprit

    def close(self) -> int:
        buf = io.StringIO()
        for make in self._pending:
            buf.write(json.dumps(make()) + "\n")
        self._pending.clear()
        self.target.write_text(buf.getvalue())
        return buf.tell()


def ctc_record(step: int, nll: torch.Tensor, peaky: torch.Tensor) -> dict:
    return {"step": step, "nll": nll.item(), "peaky": peaky.item()}


class Acoustic(nn.Module):
    def __init__(self, width: int = 40):
        super().__init__()
        self.front = nn.Conv1d(N_MEL, width, 5, padding=2)
        self.blocks = nn.ModuleList(nn.Conv1d(width, width, 3, padding=1, groups=4) for _ in range(2))
        self.norms = nn.ModuleList(nn.GroupNorm(4, width) for _ in range(2))
        self.head = nn.Linear(width, N_PHON + 1)

    def forward(self, mel):
        h = F.relu(self.front(mel))
        for conv, norm in zip(self.blocks, self.norms):
            h = h + F.relu(norm(conv(h)))
        return self.head(h.transpose(1, 2)).log_softmax(-1)


class ToySpeech:
    def __init__(self, seed: int):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(N_PHON + 1, N_MEL, generator=self.g)

    def batch(self, n: int = 6):
        y = torch.randint(1, N_PHON + 1, (n, 6), generator=self.g)
        frames = y.repeat_interleave(FRAMES // 6, 1)
        mel = self.proto[frames] + 0.4 * torch.randn(n, FRAMES, N_MEL, generator=self.g)
        return mel.transpose(1, 2), y


def train(n_steps: int, out_dir: Path):
    torch.manual_seed(21)
    corpus, net = ToySpeech(21), Acoustic()
    opt = torch.optim.Adam(net.parameters(), 3e-3)
    journal = Journal(out_dir / "train.jsonl")
    for step in range(n_steps):
        mel, y = corpus.batch()
        logp = net(mel)
        t_in = torch.full((len(y),), logp.shape[1])
        t_out = torch.full((len(y),), y.shape[1])
        nll = F.ctc_loss(logp.transpose(0, 1), y, t_in, t_out)
        peaky = logp.exp()[..., 0].mean()
        opt.zero_grad()
        (nll + 0.05 * peaky).backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        journal.defer(ctc_record, step, nll, peaky)  # <- culprit
        if step % 100 == 99:
            print(f"[{step + 1}] nll {nll.item():.3f}")
    print("journal bytes", journal.close())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as d:
        train(420, Path(d))
