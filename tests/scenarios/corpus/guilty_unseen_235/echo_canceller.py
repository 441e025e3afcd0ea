# gradwatch-corpus: kind=graph-chain
# holder: state | state.taps
# first-bad: 1
"""Acoustic echo canceller whose NLMS step sizes are tuned by gradient descent."""
from dataclasses import dataclass, field
from typing import Callable, Iterator, NamedTuple

import torch


@dataclass
class AecConfig:
    n_taps: int = 96
    block: int = 64
    n_blocks: int = 110
    meta_lr: float = 0.03
    n_bands: int = 8
    noise: float = 0.01
    seeds: tuple[int, ...] = field(default=(5, 6))


class Block(NamedTuple):
    far: torch.Tensor
    mic: torch.Tensor


class AecState(NamedTuple):
    taps: torch.Tensor


def room_response(n_taps: int, gen: torch.Generator) -> torch.Tensor:
    decay = torch.exp(-torch.arange(n_taps) / 18.0)
    return torch.randn(n_taps, generator=gen) * decay


def stream(cfg: AecConfig) -> Iterator[Block]:
    gen = torch.Generator().manual_seed(cfg.seeds[0])
    room = room_response(cfg.n_taps, gen)
    tail = torch.zeros(cfg.n_taps - 1)
    for _ in range(cfg.n_blocks):
        fresh = torch.randn(cfg.block, generator=gen)
        line = torch.cat([tail, fresh])
        far = line.unfold(0, cfg.n_taps, 1).flip(-1)
        mic = far @ room + cfg.noise * torch.randn(cfg.block, generator=gen)
        tail = line[-(cfg.n_taps - 1):]
        yield Block(far, mic)


def make_step(cfg: AecConfig, raw_mu: torch.Tensor) -> Callable[[AecState, Block], tuple[AecState, torch.Tensor]]:
    band = torch.arange(cfg.n_taps) * cfg.n_bands // cfg.n_taps

    def step(state: AecState, blk: Block) -> tuple[AecState, torch.Tensor]:
        mu = torch.sigmoid(raw_mu)[band]
        taps = state.taps
        power = blk.far.square().sum(-1) + 1e-3
        err = blk.mic - blk.far @ taps
        corr = (err / power) @ blk.far
        return AecState(taps + mu * corr), err  # <- culprit

    return step


def erle_db(blk: Block, err: torch.Tensor) -> float:
    ratio = blk.mic.square().mean() / err.square().mean().clamp_min(1e-12)
    return 10.0 * torch.log10(ratio).item()


def tune(cfg: AecConfig) -> list[float]:
    torch.manual_seed(cfg.seeds[1])
    raw_mu = torch.full((cfg.n_bands,), -2.0, requires_grad=True)
    optim = torch.optim.Adam([raw_mu], lr=cfg.meta_lr)
    step = make_step(cfg, raw_mu)
    state = AecState(torch.zeros(cfg.n_taps))
    curve: list[float] = []

    for n, blk in enumerate(stream(cfg)):
        updated, _ = step(state, blk)
        residual = blk.mic - blk.far @ updated.taps
        cost = residual.square().mean() + 1e-3 * torch.sigmoid(raw_mu).mean()
        optim.zero_grad(set_to_none=True)
        cost.backward(retain_graph=True)  # <- culprit
        optim.step()
        state = updated  # <- culprit
        with torch.no_grad():
            curve.append(erle_db(blk, residual))
        if n % 20 == 0:
            mus = ", ".join(f"{m:.2f}" for m in torch.sigmoid(raw_mu).tolist())
            print(f"block {n:3d}  ERLE {curve[-1]:6.2f} dB  mu [{mus}]")
    return curve


if __name__ == "__main__":
    result = tune(AecConfig())
    print(f"mean ERLE over last 20 blocks: {sum(result[-20:]) / 20:.2f} dB")
