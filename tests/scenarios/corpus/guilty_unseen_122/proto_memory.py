# gradwatch-corpus: kind=second-backward
# holder: self.bank | bank | memory.bank | self.bank[c]
# first-bad: 3
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn as nn

# few-shot episodes with prototypes that persist over episodes


class Encoder(nn.Module):
    def __init__(self, din=10, dz=6):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(din, 24), nn.LeakyReLU(0.1), nn.Linear(24, dz))

    def forward(self, x):
        return nn.functional.normalize(self.f(x), dim=-1)


class PrototypeMemory:
    def __init__(self, rate=0.3):
        self.rate = rate
        self.bank = {}

    def absorb(self, c, proto):
        old = self.bank.get(c)
        self.bank[c] = proto if old is None else (1 - self.rate) * old + self.rate * proto  # <- culprit
        return self.bank[c]


class EpisodeSampler:
    def __init__(self, n_classes, way, shot, query, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.mu = 1.5 * torch.randn(n_classes, 10, generator=self.g)
        self.n_classes, self.way, self.shot, self.query = n_classes, way, shot, query

    def __iter__(self):
        while True:
            classes = torch.randperm(self.n_classes, generator=self.g)[: self.way].tolist()
            noise = torch.randn(self.way, self.shot + self.query, 10, generator=self.g)
            x = self.mu[classes][:, None] + noise
            yield classes, x[:, : self.shot], x[:, self.shot:]


def episode_loss(enc, memory, classes, support, query, tau=0.2):
    z = enc(support).mean(1)
    protos = torch.stack([memory.absorb(c, z[i]) for i, c in enumerate(classes)])
    q = enc(query).flatten(0, 1)
    target = torch.arange(len(classes)).repeat_interleave(query.shape[1])
    logits = -torch.cdist(q, protos) / tau
    return nn.functional.cross_entropy(logits, target), (logits.argmax(1) == target).float().mean()


def main():
    torch.manual_seed(77)
    enc, memory = Encoder(), PrototypeMemory()
    opt = torch.optim.Adam(enc.parameters(), 1e-3)
    for n, (classes, s, q) in enumerate(EpisodeSampler(40, way=4, shot=2, query=3, seed=2)):
        if n == 300:
            break
        loss, acc = episode_loss(enc, memory, classes, s, q)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if n % 2 == 0:
            print("episode", n, "classes", classes, "loss", round(loss.item(), 3), "acc", round(acc.item(), 2))


main()
