# gradwatch-corpus: kind=graph-chain
# holder: state.anchor | self.anchor | state.anchor[k] | anchor
# first-bad: 1
"""Port of our JAX semi-supervised baseline: a classifier on few labels, pulled towards a slow copy of its own weights.
Written in the same pure-function style, params are dicts, optax calls have small replacements."""
from dataclasses import dataclass, replace
from typing import Callable, Dict

import torch
import torch.nn.functional as F

Params = Dict[str, torch.Tensor]
torch.manual_seed(0)
torch.set_num_threads(1)


# ---- replacements for jax.tree_util / optax -------------------------------------------------------------------
def tree_map(f: Callable, *trees: Params) -> Params:
    return {k: f(*(t[k] for t in trees)) for k in trees[0]}


def tree_sum(tree: Params) -> torch.Tensor:
    return torch.stack([v.sum() for v in tree.values()]).sum()


def incremental_update(new_tensors: Params, old_tensors: Params, step_size: float) -> Params:
    return tree_map(lambda new, old: torch.lerp(old, new, step_size), new_tensors, old_tensors)  # <- culprit


# ---- model ----------------------------------------------------------------------------------------------------
def dense_init(n_in, n_out):
    return torch.randn(n_in, n_out) * n_in ** -0.5


def init_params(sizes=(20, 96, 4)) -> Params:
    params = {}
    for i, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        params[f"w{i}"] = dense_init(a, b).requires_grad_()
        params[f"b{i}"] = torch.zeros(b, requires_grad=True)
    return params


def apply_fn(params: Params, x: torch.Tensor) -> torch.Tensor:
    n = len(params) // 2
    for i in range(n):
        x = x @ params[f"w{i}"] + params[f"b{i}"]
        if i < n - 1:
            x = F.silu(x)
    return x


# ---- data -----------------------------------------------------------------------------------------------------
CENTERS = 1.2 * torch.randn(4, 20)


def sample_batch(gen, n_lab=16, n_unlab=48):
    y = torch.randint(0, 4, (n_lab + n_unlab,), generator=gen)
    x = CENTERS[y] + torch.randn(n_lab + n_unlab, 20, generator=gen)
    return {"x": x[:n_lab], "y": y[:n_lab], "u": x[n_lab:], "u_true": y[n_lab:]}


# ---- training -------------------------------------------------------------------------------------------------
@dataclass(frozen=True)
class TrainState:
    step: int
    params: Params
    anchor: Params
    tau: float = 0.05
    pull: float = 1e-2


def loss_fn(state: TrainState, batch, gen):
    logits = apply_fn(state.params, batch["x"])
    ce = F.cross_entropy(logits, batch["y"])
    with torch.no_grad():
        target = apply_fn(state.anchor, batch["u"]).softmax(-1)
    noisy = batch["u"] + 0.1 * torch.randn(batch["u"].shape, generator=gen)
    consistency = F.kl_div(apply_fn(state.params, noisy).log_softmax(-1), target, reduction="batchmean")
    prox = tree_sum(tree_map(lambda p, a: (p - a) ** 2, state.params, state.anchor))
    return ce + 0.5 * consistency + state.pull * prox, {"ce": ce.item(), "prox": prox.item()}


def train_step(state: TrainState, opt, batch, gen):
    opt.zero_grad(set_to_none=True)
    loss, aux = loss_fn(state, batch, gen)
    loss.backward()
    opt.step()
    anchor = incremental_update(state.params, state.anchor, state.tau)
    return replace(state, step=state.step + 1, anchor=anchor), {**aux, "loss": loss.item()}  # <- culprit


@torch.no_grad()
def accuracy(params, batch):
    return (apply_fn(params, batch["u"]).argmax(-1) == batch["u_true"]).float().mean().item()


def main(num_steps=250):
    gen = torch.Generator().manual_seed(3)
    params = init_params()
    state = TrainState(step=0, params=params, anchor=tree_map(lambda p: p.detach().clone(), params))
    opt = torch.optim.Adam(list(params.values()), lr=1e-3)
    for _ in range(num_steps):
        batch = sample_batch(gen)
        state, metrics = train_step(state, opt, batch, gen)
        if state.step % 50 == 0:
            acc = accuracy(state.anchor, sample_batch(gen, 16, 512))
            print(state.step, {k: round(v, 4) for k, v in metrics.items()}, f"acc={acc:.3f}")


if __name__ == "__main__":
    main()
