# gradwatch-corpus: kind=graph-chain
# holder: state | self.state | sim.state
# first-bad: 1
"""Online system identification: fit stiffness and damping of a spring chain while it runs."""
import argparse

import torch

from sim import SpringChain, Plant


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--windows", type=int, default=400)
    ap.add_argument("--n", type=int, default=5)
    ap.add_argument("--substeps", type=int, default=2)
    ap.add_argument("--lr", type=float, default=0.01)
    a = ap.parse_args()
    torch.manual_seed(2)

    plant = Plant(a.n)
    sim = SpringChain(a.n)
    sim.reset(plant.x, plant.v)
    opt = torch.optim.Adam(sim.parameters(), lr=a.lr)
    for w in range(a.windows):
        force = 0.3 * torch.sin(torch.tensor(0.2 * w)) * torch.ones(a.n)
        measured = plant.advance(force, a.substeps)
        predicted = sim.advance(force, a.substeps)
        loss = (predicted - measured).pow(2).mean()
        opt.zero_grad()
        loss.backward(retain_graph=True)
        torch.nn.utils.clip_grad_norm_(sim.parameters(), 1.0)
        opt.step()
        if w % 80 == 0:
            print(f"window {w} err {loss.item():.5f} k {sim.log_k.exp().mean().item():.3f}")
    print("true k", plant.k.mean().item())


if __name__ == "__main__":
    main()
