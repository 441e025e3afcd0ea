# gradwatch-corpus: kind=none
import tempfile
from collections import OrderedDict, deque
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import nn


@dataclass
class StreamConfig:
    sessions: int = 60
    capacity: int = 40
    batch: int = 8
    clip_len: int = 5
    inputs: int = 4
    width: int = 16
    steps: int = 450
    lr: float = 3e-3
    lookahead_k: int = 6
    lookahead_alpha: float = 0.5


class SessionStore:
    def __init__(self, capacity, width):
        self.capacity, self.width = capacity, width
        self.states = OrderedDict()

    def load(self, keys):
        blank = torch.zeros(self.width)
        return torch.stack([self.states.get(k, blank) for k in keys])

    def save(self, keys, hidden):
        for k, h in zip(keys, hidden.detach().unbind()):
            self.states[k] = h.clone()
            self.states.move_to_end(k)
        while len(self.states) > self.capacity:
            self.states.popitem(last=False)


class Lookahead:
    def __init__(self, inner, k, alpha):
        self.inner, self.k, self.alpha = inner, k, alpha
        self.params = [p for g in inner.param_groups for p in g["params"]]
        self.slow = [p.detach().clone() for p in self.params]
        self.count = 0

    def zero_grad(self):
        self.inner.zero_grad()

    @torch.no_grad()
    def step(self):
        self.inner.step()
        self.count += 1
        if self.count % self.k == 0:
            for s, p in zip(self.slow, self.params):
                s.lerp_(p, self.alpha)
                p.copy_(s)


class Rotation:
    def __init__(self, root, keep):
        self.root, self.keep = Path(root), keep
        self.paths = deque()

    def save(self, step, model, cfg):
        path = self.root / f"step{step:05d}.pt"
        torch.save({"model": model.state_dict(), "cfg": asdict(cfg)}, path)
        self.paths.append(path)
        while len(self.paths) > self.keep:
            self.paths.popleft().unlink()


class NextEvent(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.gru = nn.GRU(cfg.inputs, cfg.width, batch_first=True)
        self.head = nn.Linear(cfg.width, cfg.inputs)

    def forward(self, clip, hidden):
        out, hidden = self.gru(clip, hidden.unsqueeze(0))
        return self.head(out), hidden.squeeze(0)


def main():
    torch.manual_seed(28)
    cfg = StreamConfig()
    gen = torch.Generator().manual_seed(280)
    freq = 0.2 + torch.rand(cfg.sessions, 1, cfg.inputs, generator=gen)
    clock = torch.zeros(cfg.sessions)
    model = NextEvent(cfg)
    opt = Lookahead(torch.optim.Adam(model.parameters(), lr=cfg.lr), cfg.lookahead_k, cfg.lookahead_alpha)
    store = SessionStore(cfg.capacity, cfg.width)
    running = torch.zeros(())
    with tempfile.TemporaryDirectory() as root:
        rotation = Rotation(root, keep=2)
        for step in range(cfg.steps):
            ids = torch.randperm(cfg.sessions, generator=gen)[: cfg.batch]
            t = clock[ids, None, None] + torch.arange(cfg.clip_len + 1).view(1, -1, 1)
            series = torch.sin(freq[ids] * t)
            clock[ids] += cfg.clip_len
            guess, hidden = model(series[:, :-1], store.load(ids.tolist()))
            loss = (guess - series[:, 1:]).abs().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()
            store.save(ids.tolist(), hidden)
            running = running + 0.05 * (loss.detach() - running)
            if step % 150 == 0:
                rotation.save(step, model, cfg)
                print(step, round(running.item(), 4), len(store.states))


if __name__ == "__main__":
    main()
