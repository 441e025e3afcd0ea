# gradwatch-corpus: kind=second-backward
# holder: fake | self.fake
# first-bad: 0
# notice: 0
"""Conditional GAN on 7-segment digits."""
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(42)

SEGMENTS = torch.tensor([
    [1, 1, 1, 1, 1, 1, 0], [0, 1, 1, 0, 0, 0, 0], [1, 1, 0, 1, 1, 0, 1], [1, 1, 1, 1, 0, 0, 1], [0, 1, 1, 0, 0, 1, 1],
    [1, 0, 1, 1, 0, 1, 1], [1, 0, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0], [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1],
]).float()


def real_batch(n):
    y = torch.randint(0, 10, (n,))
    return (SEGMENTS[y] * 2 - 1) * (0.8 + 0.2 * torch.rand(n, 1)) + 0.05 * torch.randn(n, 7), y


class Generator(nn.Module):
    def __init__(self, z=6):
        super().__init__()
        self.z = z
        self.label = nn.Embedding(10, 6)
        self.net = nn.Sequential(nn.Linear(z + 6, 32), nn.ReLU(), nn.Linear(32, 7), nn.Tanh())

    def forward(self, y):
        noise = torch.randn(len(y), self.z)
        return self.net(torch.cat([noise, self.label(y)], 1))


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.label = nn.Embedding(10, 6)
        self.net = nn.Sequential(nn.Linear(13, 32), nn.LeakyReLU(0.2), nn.Dropout(0.2), nn.Linear(32, 1))

    def forward(self, x, y):
        return self.net(torch.cat([x, self.label(y)], 1)).squeeze(1)


class CGANTrainer(object):
    def __init__(self):
        self.G, self.D = Generator(), Discriminator()
        self.optG = torch.optim.Adam(self.G.parameters(), 2e-4, (0.5, 0.999))
        self.optD = torch.optim.Adam(self.D.parameters(), 2e-4, (0.5, 0.999))
        self.crit = nn.BCEWithLogitsLoss()

    def set_input(self, real, y):
        self.real, self.y = real, y

    def forward(self):
        self.fake = self.G(self.y)

    def backward_D(self):
        pred_real = self.D(self.real, self.y)
        pred_fake = self.D(self.fake, self.y)  # <- culprit
        self.loss_D = 0.5 * (self.crit(pred_real, torch.ones_like(pred_real)) +
                             self.crit(pred_fake, torch.zeros_like(pred_fake)))
        self.loss_D.backward()

    def backward_G(self):
        pred = self.D(self.fake, self.y)
        self.loss_G = self.crit(pred, torch.ones_like(pred))
        self.loss_G.backward()

    def optimize_parameters(self):
        self.forward()
        self.optD.zero_grad()
        self.backward_D()
        dgrads = [p.grad.clone() for p in self.D.parameters()]
        self.optG.zero_grad()
        self.backward_G()
        for p, g in zip(self.D.parameters(), dgrads):
            p.grad = g
        self.optD.step()
        self.optG.step()


trainer = CGANTrainer()
for epoch in range(5):
    for i in range(100):
        trainer.set_input(*real_batch(16))
        trainer.optimize_parameters()
    print(f"epoch {epoch} D {trainer.loss_D.item():.3f} G {trainer.loss_G.item():.3f}")
