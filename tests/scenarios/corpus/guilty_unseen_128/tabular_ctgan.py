# gradwatch-corpus: kind=second-backward
# holder: rows | synth
# first-bad: 1
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F


class CTGAN:
    def __init__(self, z=8, cols=6, width=32):
        self.z = z
        self.gen = nn.Sequential(nn.Linear(z, width), nn.ReLU(), nn.Linear(width, cols))
        self.critic = nn.Sequential(nn.Linear(cols, width), nn.LeakyReLU(0.2), nn.Linear(width, 1))
        self.og = torch.optim.Adam(self.gen.parameters(), 2e-4)
        self.oc = torch.optim.Adam(self.critic.parameters(), 2e-4)

    def synthesise(self, n):
        raw = self.gen(torch.randn(n, self.z))
        return torch.cat([torch.tanh(raw[:, :3]), F.gumbel_softmax(raw[:, 3:], tau=0.5)], 1)

    def critic_update(self, real, synth):
        loss = F.softplus(-self.critic(real)).mean() + F.softplus(self.critic(synth)).mean()  # <- culprit
        self.oc.zero_grad()
        loss.backward()
        self.oc.step()
        return loss.item()

    def generator_update(self, synth):
        loss = F.softplus(-self.critic(synth)).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        return loss.item()


def table(n):
    c = torch.randint(0, 3, (n,))
    return torch.cat([torch.tanh(torch.randn(n, 3) + c[:, None] - 1), F.one_hot(c, 3).float()], 1)


if __name__ == "__main__":
    torch.manual_seed(64)
    gan = CTGAN()
    for it in range(500):
        rows = gan.synthesise(32)
        d = gan.critic_update(table(32), rows)
        g = gan.generator_update(rows)
        if it % 100 == 0:
            print(it, d, g)
