# gradwatch-corpus: kind=second-backward
# holder: w | self.last["w"] | solver.last["w"] | self.last | solver.last
# first-bad: 24
# after: naver-ai/StyleMapGAN #16 "RuntimeError: Trying to backward through the graph a second time" (second loss on the same stylecode in one iteration)
import torch
from torch import nn, autograd
import torch.nn.functional as F

torch.manual_seed(0)


class Mapping(nn.Sequential):
    def __init__(self, z=16, w=32, depth=3):
        layers = []
        for k in range(depth):
            layers += [nn.Linear(z if k == 0 else w, w), nn.LeakyReLU(0.2)]
        super().__init__(*layers)


class Synthesis(nn.Module):
    def __init__(self, w=32, c=16):
        super().__init__()
        self.const = nn.Parameter(torch.randn(1, c, 4, 4))
        self.mod = nn.ModuleList([nn.Linear(w, c) for _ in range(2)])
        self.conv = nn.ModuleList([nn.Conv2d(c, c, 3, padding=1) for _ in range(2)])
        self.rgb = nn.Conv2d(c, 3, 1)

    def forward(self, w):
        x = self.const.expand(len(w), -1, -1, -1)
        for mod, conv in zip(self.mod, self.conv):
            x = F.interpolate(x, scale_factor=2)
            x = F.leaky_relu(conv(x * (1 + mod(w))[:, :, None, None]), 0.2)
        return self.rgb(x)


class Critic(nn.Sequential):
    def __init__(self, c=16):
        super().__init__(nn.Conv2d(3, c, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv2d(c, 2 * c, 4, 2, 1), nn.LeakyReLU(0.2),
                         nn.Flatten(), nn.Linear(2 * c * 16, 1))


class Solver:
    def __init__(self, reg_every=8):
        self.map, self.syn, self.D = Mapping(), Synthesis(), Critic()
        self.g_opt = torch.optim.Adam([*self.map.parameters(), *self.syn.parameters()], 1e-3, betas=(0.0, 0.99))
        self.d_opt = torch.optim.Adam(self.D.parameters(), 1e-3, betas=(0.0, 0.99))
        self.reg_every, self.mean_path, self.last = reg_every, 0.0, {}

    def d_step(self, real):
        with torch.no_grad():
            fake = self.syn(self.map(torch.randn(len(real), 16)))
        loss = F.softplus(-self.D(real)).mean() + F.softplus(self.D(fake)).mean()
        self.d_opt.zero_grad()
        loss.backward()
        self.d_opt.step()

    def g_step(self, n):
        w = self.map(torch.randn(n, 16))
        fake = self.syn(w)
        self.last = {"w": w}
        loss = F.softplus(-self.D(fake)).mean()
        self.g_opt.zero_grad()
        loss.backward()  # <- culprit
        return loss.item()

    def path_reg(self):
        w = self.last["w"]  # <- culprit
        img = self.syn(w)
        noise = torch.randn_like(img) / 16
        (g,) = autograd.grad((img * noise).sum(), w, create_graph=True)
        length = g.square().sum(1).sqrt()
        self.mean_path += 0.01 * (length.mean().item() - self.mean_path)
        (2 * (length - self.mean_path).square().mean() + 0 * img[0, 0, 0, 0]).backward()  # <- culprit

    def step(self, it, real):
        self.d_step(real)
        value = self.g_step(len(real))
        if it and it % self.reg_every == 0:
            self.path_reg()
        self.g_opt.step()
        return value


solver = Solver(reg_every=24)
for it in range(80):
    u = torch.linspace(0, 6.28, 16)
    real = torch.sin(u * (1 + torch.rand(8, 1, 1, 1) * 3)).expand(8, 3, 16, 16) + 0.05 * torch.randn(8, 3, 16, 16)
    v = solver.step(it, real)
    if it % 10 == 0:
        print(it, v)
