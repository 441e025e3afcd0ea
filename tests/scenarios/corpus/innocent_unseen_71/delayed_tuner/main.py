# gradwatch-corpus: kind=none
"""Pick compiler flags with a policy gradient while the benchmark farm answers a few rounds late."""
import torch

from farm import Farm, KERNEL_DIM, VARIANTS
from pending import Pending


class FlagPolicy(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.score = torch.nn.Linear(KERNEL_DIM, VARIANTS)

    def forward(self, kernel):
        return torch.distributions.Categorical(logits=self.score(kernel))


class Session:
    def __init__(self, latency, lr=0.05, seed=1):
        self.gen = torch.Generator().manual_seed(seed)
        self.farm = Farm(latency, self.gen)
        self.policy = FlagPolicy()
        self.pending = Pending()
        self.opt = torch.optim.SGD(self.policy.parameters(), lr=lr)
        self.baseline = None
        self.history = []

    def submit(self, batch=16):
        kernels = torch.randn(batch, KERNEL_DIM, generator=self.gen)
        dist = self.policy(kernels)
        choice = dist.sample()
        ticket = self.farm.enqueue(kernels, choice)
        self.pending.park(ticket, dist.log_prob(choice), dist.entropy())

    def absorb(self):
        """Learn from whatever the farm has finished; returns the mean speed-up, if any."""
        done = self.farm.poll()
        if done is None:
            return None
        ticket, speedup = done
        logp, entropy = self.pending.claim(ticket)
        mean = speedup.mean()
        self.baseline = mean if self.baseline is None else 0.9 * self.baseline + 0.1 * mean
        loss = -(logp * (speedup - self.baseline)).mean() - 0.01 * entropy.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.history.append(loss.detach())
        return mean.item()


def main(rounds=260):
    torch.set_num_threads(1)
    torch.manual_seed(21)
    session = Session(latency=5)
    for r in range(rounds):
        session.submit()
        speed = session.absorb()
        if r % 40 == 39:
            print(f"round {r + 1} speed-up {speed:.3f} waiting {len(session.pending)}")
    while len(session.pending):
        session.absorb()
    print("mean policy loss", torch.stack(session.history).mean().item())


if __name__ == "__main__":
    main()
