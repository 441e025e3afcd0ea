# gradwatch-corpus: kind=none
"""Streaming voice activity detection: long calls are cut in chunks, the recurrent state goes along."""
from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import Any, Iterator

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class VadConfig:
    lines: int = 12
    mel: int = 16
    hidden: int = 28
    layers: int = 2
    chunk: int = 15
    chunks_per_call: int = 20
    calls: int = 6
    lr: float = 4e-3


@dataclass
class Chunk:
    call: int
    first: bool
    mel: Tensor
    speech: Tensor


def map_tensors(fn, tree: Any) -> Any:
    if tree is None:
        return None
    if isinstance(tree, Tensor):
        return fn(tree)
    if isinstance(tree, (tuple, list)):
        return type(tree)(map_tensors(fn, leaf) for leaf in tree)
    raise TypeError(type(tree))


class TelephonyFeed:
    def __init__(self, cfg: VadConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.buffer: queue.Queue = queue.Queue(maxsize=3)

    def _produce(self) -> None:
        c = self.cfg
        formant = torch.randn(c.mel, generator=self.gen)
        for call in range(c.calls):
            talking = torch.zeros(c.lines)
            for k in range(c.chunks_per_call):
                frames = []
                for _ in range(c.chunk):
                    flip = (torch.rand(c.lines, generator=self.gen) < 0.08).float()
                    talking = (talking - flip).abs()
                    frames.append(talking)
                speech = torch.stack(frames)
                mel = speech.unsqueeze(-1) * formant
                mel = mel + torch.randn(mel.shape, generator=self.gen)
                self.buffer.put(Chunk(call, k == 0, mel, speech))
        self.buffer.put(None)

    def __enter__(self) -> "TelephonyFeed":
        self.worker = threading.Thread(target=self._produce, daemon=True)
        self.worker.start()
        return self

    def __exit__(self, *exc) -> None:
        self.worker.join(timeout=1.0)

    def __iter__(self) -> Iterator[Chunk]:
        while True:
            item = self.buffer.get()
            if item is None:
                return
            yield item


class VadNet(nn.Module):
    def __init__(self, cfg: VadConfig) -> None:
        super().__init__()
        self.rnn = nn.LSTM(cfg.mel, cfg.hidden, num_layers=cfg.layers)
        self.head = nn.Linear(cfg.hidden, 1)

    def forward(self, mel: Tensor, memory: Any) -> tuple[Tensor, Any]:
        out, memory = self.rnn(mel, memory)
        return self.head(out).squeeze(-1), memory


class StreamTrainer:
    def __init__(self, cfg: VadConfig) -> None:
        self.net = VadNet(cfg)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.memory: Any = None
        self.running = None

    def consume(self, chunk: Chunk) -> float:
        if chunk.first:
            self.memory = None
        logits, memory = self.net(chunk.mel, self.memory)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, chunk.speech)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.memory = map_tensors(Tensor.detach, memory)
        value = loss.detach()
        self.running = value if self.running is None else 0.9 * self.running + 0.1 * value
        return value.item()


def main() -> None:
    torch.manual_seed(31)
    cfg = VadConfig()
    trainer = StreamTrainer(cfg)
    with TelephonyFeed(cfg, seed=32) as feed:
        for chunk in feed:
            loss = trainer.consume(chunk)
            if chunk.first:
                print(f"call {chunk.call}: loss {loss:.4f} running {trainer.running.item():.4f}")


if __name__ == "__main__":
    main()
