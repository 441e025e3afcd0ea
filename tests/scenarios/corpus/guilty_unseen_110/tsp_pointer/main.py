# gradwatch-corpus: kind=inplace-modified
# holder: self.visited | env.visited | mask | state.visited
# first-bad: 0
# notice: 0
import torch

from model import PointerPolicy
from tour import TourEnv


class MovingBaseline:
    def __init__(self, beta=0.9):
        self.beta, self.value = beta, None

    def __call__(self, cost):
        m = cost.mean().item()
        self.value = m if self.value is None else self.beta * self.value + (1 - self.beta) * m
        return self.value


def rollout(policy, coords, greedy=False):
    env = TourEnv(coords)
    emb = policy.embed(coords)
    logps = []
    while not env.done():
        idx, logp = policy.pick(emb, env, greedy)
        env.visit(idx)
        logps.append(logp)
    return env.length(), torch.stack(logps, 1).sum(1)


def train(steps=250, n_nodes=8, batch=32):
    policy = PointerPolicy(dim=24)
    opt = torch.optim.Adam(policy.parameters(), lr=2e-3)
    baseline = MovingBaseline()
    for step in range(steps):
        coords = torch.rand(batch, n_nodes, 2)
        cost, logp = rollout(policy, coords)
        adv = cost - baseline(cost)
        loss = (adv * logp).mean()
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(policy.parameters(), 1.0)
        opt.step()
        if step % 50 == 0:
            print(f"{step:4d} mean tour {cost.mean():.3f}")
    with torch.no_grad():
        print("greedy", rollout(policy, torch.rand(128, n_nodes, 2), greedy=True)[0].mean().item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    train()
