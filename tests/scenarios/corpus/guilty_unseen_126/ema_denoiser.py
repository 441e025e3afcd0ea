# gradwatch-corpus: kind=graph-held
# holder: ema.shadow | self.shadow
# first-bad: 1
# notice: 8
import copy
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(8)


class EMA:
    def __init__(self, model, decay):
        self.decay = decay
        self.model = model
        self.shadow = {k: p.clone().detach() for k, p in model.named_parameters()}

    def update(self):
        for name, param in self.model.named_parameters():
            self.shadow[name] = self.decay * self.shadow[name] + (1.0 - self.decay) * param  # <- culprit

    def copy_to(self, other):
        with torch.no_grad():
            for name, param in other.named_parameters():
                param.copy_(self.shadow[name])


class Denoiser(nn.Module):
    def __init__(self, length=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(length, 32), nn.SiLU(), nn.Linear(32, length))

    def forward(self, noisy):
        return noisy - self.net(noisy)


def batch(n=16, length=24):
    t = torch.linspace(0, 1, length)
    clean = torch.sin(2 * torch.pi * (t * torch.randint(1, 4, (n, 1)) + torch.rand(n, 1)))
    return clean, clean + 0.4 * torch.randn_like(clean)


model = Denoiser()
averaged = copy.deepcopy(model)
ema = EMA(model, 0.98)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)

for i in range(350):
    clean, noisy = batch()
    loss = (model(noisy) - clean).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update()
    if i % 70 == 69:
        ema.copy_to(averaged)
        averaged.eval()
        with torch.no_grad():
            clean, noisy = batch(64)
            print(i, "raw", loss.item(), "ema", (averaged(noisy) - clean).square().mean().item())
