# gradwatch-corpus: kind=graph-chain
# holder: self.state | sim.state
# first-bad: 1
"""Identify stiffness and damping of a mass-spring chain by differentiable simulation."""
import torch

from sim import SpringChain


def rollout(sim, drive):
    for u in drive:
        yield sim.step(u)


def main(iters=400, horizon=2):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(77)
    truth = SpringChain(stiffness=4.0, damping=0.3).requires_grad_(False)
    sim = SpringChain(stiffness=1.0, damping=1.0)
    opt = torch.optim.Adam(sim.parameters(), lr=1e-2)
    for it in range(iters):
        drive = torch.randn(horizon, generator=gen)
        target = torch.stack(list(rollout(truth, drive)))
        pred = torch.stack(list(rollout(sim, drive)))
        loss = (pred - target).pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(sim.parameters(), 1.0)
        opt.step()
        if it % 50 == 0:
            print(it, f"{loss.item():.5f}", sim.describe())


if __name__ == "__main__":
    main()
