# gradwatch-corpus: kind=graph-chain
# holder: carry["soil"] | carry | new_carry | soil | state["carry"] | state["carry"]["soil"] | state
# first-bad: 1
# notice: 5
"""Weekly yield forecasting for a set of fields, written without nn.Module.

All quantities live in plain dicts.  `train_step` maps (state, batch) -> (state, metrics).
"""
import argparse
import math
from typing import Dict, Iterator, Tuple

import torch

Params = Dict[str, torch.Tensor]
Batch = Tuple[torch.Tensor, torch.Tensor]

N_WEATHER = 5      # rain, tmin, tmax, radiation, wind
N_SOIL = 10


def init_params(gen: torch.Generator) -> Params:
    def mat(n_in, n_out):
        return torch.randn(n_in, n_out, generator=gen) / math.sqrt(n_in)

    raw = {
        "w_rain": mat(N_WEATHER, N_SOIL),
        "w_soil": mat(N_SOIL, N_SOIL) * 0.7,
        "w_gate": mat(N_WEATHER + N_SOIL, N_SOIL),
        "b_soil": torch.zeros(N_SOIL),
        "w_out": mat(N_SOIL, 1),
        "b_out": torch.zeros(1),
    }
    return {k: v.requires_grad_() for k, v in raw.items()}


def init_carry(n_fields: int) -> Dict[str, torch.Tensor]:
    return {"soil": torch.zeros(n_fields, N_SOIL)}


def soil_cell(p: Params, h: torch.Tensor, weather: torch.Tensor) -> torch.Tensor:
    gate = torch.sigmoid(torch.cat([weather, h], dim=1) @ p["w_gate"])
    cand = torch.tanh(weather @ p["w_rain"] + h @ p["w_soil"] + p["b_soil"])
    return gate * h + (1 - gate) * cand


def rollout(p: Params, carry: Dict[str, torch.Tensor], weather: torch.Tensor):
    """weather: (weeks, fields, features) -> predictions (weeks, fields), carry."""
    soil = carry["soil"]  # <- culprit
    preds = []
    for week in weather:
        soil = soil_cell(p, soil, week)
        preds.append((soil @ p["w_out"] + p["b_out"]).squeeze(1))
    return torch.stack(preds), {"soil": soil}  # <- culprit


def objective(p: Params, carry, batch: Batch, ridge: float):
    weather, target = batch
    preds, new_carry = rollout(p, carry, weather)
    fit = torch.nn.functional.smooth_l1_loss(preds, target)
    penalty = sum(p[k].pow(2).sum() for k in p if k.startswith("w_"))
    return fit + ridge * penalty, new_carry


def momentum_update(p: Params, vel: Params, grads: Params, lr: float, beta: float):
    vel = {k: beta * vel[k] + grads[k] for k in p}
    new_p = {k: (p[k].detach() - lr * vel[k]).requires_grad_() for k in p}
    return new_p, vel


def clip(grads: Params, limit: float) -> Params:
    norm = torch.sqrt(sum(g.pow(2).sum() for g in grads.values()))
    scale = min(1.0, limit / (float(norm) + 1e-8))
    return {k: g * scale for k, g in grads.items()}


def train_step(state, batch: Batch, cfg):
    p, vel, carry = state["params"], state["vel"], state["carry"]
    loss, carry = objective(p, carry, batch, cfg.ridge)
    names = list(p)
    grads = dict(zip(names, torch.autograd.grad(loss, [p[k] for k in names])))
    grads = clip(grads, 1.0)
    p, vel = momentum_update(p, vel, grads, cfg.lr, 0.9)
    new_state = {"params": p, "vel": vel, "carry": carry}  # <- culprit
    return new_state, {"loss": loss.item()}


def season_stream(gen: torch.Generator, n_fields: int, weeks: int) -> Iterator[Batch]:
    """Endless weather in consecutive windows; the hidden ground truth is a leaky bucket."""
    bucket = torch.zeros(n_fields)
    t = 0
    while True:
        weather, target = [], []
        for _ in range(weeks):
            season = math.sin(2 * math.pi * t / 52)
            x = 0.5 * torch.randn(n_fields, N_WEATHER, generator=gen) + season
            bucket = 0.85 * bucket + 0.3 * x[:, 0] - 0.1 * x[:, 2].clamp(min=0)
            weather.append(x)
            target.append(torch.tanh(bucket))
            t += 1
        yield torch.stack(weather), torch.stack(target)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--fields", type=int, default=24)
    ap.add_argument("--weeks", type=int, default=4)
    ap.add_argument("--steps", type=int, default=140)
    ap.add_argument("--lr", type=float, default=0.02)
    ap.add_argument("--ridge", type=float, default=1e-4)
    cfg = ap.parse_args()

    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(11)
    state = {"params": init_params(gen), "carry": init_carry(cfg.fields)}
    state["vel"] = {k: torch.zeros_like(v) for k, v in state["params"].items()}

    stream = season_stream(gen, cfg.fields, cfg.weeks)
    smooth = None
    for i in range(cfg.steps):
        state, metrics = train_step(state, next(stream), cfg)
        smooth = metrics["loss"] if smooth is None else 0.9 * smooth + 0.1 * metrics["loss"]
        if i % 20 == 0:
            print(f"window {i:4d}  loss {smooth:.4f}")
    print(f"done, {smooth:.4f}")


if __name__ == "__main__":
    main()
