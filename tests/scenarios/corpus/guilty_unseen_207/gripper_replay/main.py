# gradwatch-corpus: kind=second-backward
# first-bad: 12
import torch

from memory import PrioritizedMemory, Sample
from sim import Gripper
from value import ValueNet

WARMUP = 12


def main():
    torch.manual_seed(19)
    sim, net = Gripper(seed=19), ValueNet(5)
    memory = PrioritizedMemory(400, seed=19)
    optim = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    for step in range(500):
        obs, ret = sim.batch(8)
        value = net(obs)
        td = ret - value
        loss = td.pow(2).mean()
        if step >= WARMUP:
            old = memory.draw(16)
            fresh = net(old.obs)
            drift = (fresh - old.value).abs().mean()
            loss = loss + 0.5 * (old.ret - fresh).pow(2).mean() + 0.1 * drift
        optim.zero_grad()
        loss.backward()
        optim.step()
        for o, r, v, e in zip(obs, ret, value, td):
            memory.add(Sample(o, r, v), priority=abs(e.item()))  # <- culprit
        if step % 100 == 0:
            print(step, round(loss.item(), 4), len(memory))


if __name__ == "__main__":
    main()
