# gradwatch-corpus: kind=none
"""Learned simulator trained on ever longer rollouts while its network grows block by block."""
import torch

from .curriculum import Curriculum
from .simulator import GrowingSimulator, spring_chain


def rollout_loss(model, truth, horizon):
    state = truth[:, 0]
    errors = []
    for t in range(1, horizon + 1):
        state = model(state)
        errors.append((state - truth[:, t]).square().mean())
    return torch.stack(errors).mean(), errors[-1].item()


def main():
    torch.manual_seed(70)
    plan = Curriculum(start=1, every=8, longest=14, grow_at=(30, 60))
    model = GrowingSimulator(dim=6, width=24)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    history = []
    for step in range(plan.total_steps):
        if plan.should_grow(step):
            opt.add_param_group({"params": list(model.grow().parameters())})
        model.fade_in()
        horizon = plan.horizon(step)
        truth = spring_chain(batch=32, steps=horizon)
        loss, last = rollout_loss(model, truth, horizon)
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        history.append((horizon, loss.item(), last))
        if step % 15 == 14:
            h, l, e = history[-1]
            print(f"step {step + 1:3d} horizon {h:2d} blocks {len(model.blocks)} loss {l:.5f} last {e:.5f}")


if __name__ == "__main__":
    main()
