# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(42)
random.seed(42)


class CNNEnergy(nn.Module):
    def __init__(self, c=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Conv2d(1, c, 4, 2, 1), nn.SiLU(), nn.Conv2d(c, 2 * c, 3, 2, 1), nn.SiLU(),
                                    nn.Flatten(), nn.Linear(8 * c, 16), nn.SiLU(), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


class Sampler:
    def __init__(self, model, img_shape, sample_size, max_len=256):
        self.model, self.img_shape = model, img_shape
        self.sample_size, self.max_len = sample_size, max_len
        self.examples = [(torch.rand((1,) + img_shape) * 2 - 1) for _ in range(sample_size)]

    def sample_new_exmps(self, steps=8, step_size=4):
        n_new = sum(random.random() < 0.05 for _ in range(self.sample_size))
        rand_imgs = torch.rand((n_new,) + self.img_shape) * 2 - 1
        old_imgs = torch.cat(random.choices(self.examples, k=self.sample_size - n_new), dim=0)
        inp = torch.cat([rand_imgs, old_imgs], dim=0).detach()
        inp = self.generate_samples(self.model, inp, steps, step_size)
        self.examples = list(inp.chunk(self.sample_size, dim=0)) + self.examples
        self.examples = self.examples[:self.max_len]
        return inp

    @staticmethod
    def generate_samples(model, inp_imgs, steps, step_size, trace=False):
        is_training = model.training
        model.eval()
        for p in model.parameters():
            p.requires_grad = False
        inp_imgs.requires_grad = True
        had_gradients_enabled = torch.is_grad_enabled()
        torch.set_grad_enabled(True)
        noise, imgs = torch.randn_like(inp_imgs), []
        for _ in range(steps):
            noise.normal_(0, 0.005)
            inp_imgs.data.add_(noise.data)
            inp_imgs.data.clamp_(min=-1.0, max=1.0)
            out = -model(inp_imgs)
            out.sum().backward()
            inp_imgs.grad.data.clamp_(-0.03, 0.03)
            inp_imgs.data.add_(-step_size * inp_imgs.grad.data)
            inp_imgs.grad.detach_()
            inp_imgs.grad.zero_()
            inp_imgs.data.clamp_(min=-1.0, max=1.0)
            if trace:
                imgs.append(inp_imgs.clone().detach())
        for p in model.parameters():
            p.requires_grad = True
        model.train(is_training)
        torch.set_grad_enabled(had_gradients_enabled)
        return torch.stack(imgs) if trace else inp_imgs.detach()


def blobs(n):
    g = torch.linspace(-1, 1, 8)
    c = torch.rand(n, 2, 1) - 0.5
    return (2 * torch.exp(-6 * ((g - c[:, 0]) ** 2)[:, :, None] - 6 * ((g - c[:, 1]) ** 2)[:, None]) - 1)[:, None]


model = CNNEnergy()
sampler = Sampler(model, (1, 8, 8), sample_size=16)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.0, 0.999))
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 40, gamma=0.9)
alpha, log = 0.1, []
for it in range(110):
    real = blobs(16)
    real.add_(torch.randn_like(real) * 0.005).clamp_(-1.0, 1.0)
    fake = sampler.sample_new_exmps()
    real_out, fake_out = model(torch.cat([real, fake])).chunk(2, dim=0)
    reg_loss = alpha * (real_out ** 2 + fake_out ** 2).mean()
    cdiv_loss = fake_out.mean() - real_out.mean()
    loss = reg_loss + cdiv_loss
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.1)
    optimizer.step()
    scheduler.step()
    log.append({"cd": cdiv_loss.item(), "reg": reg_loss.item()})
trace = Sampler.generate_samples(model, torch.rand(4, 1, 8, 8) * 2 - 1, 10, 4, trace=True)
print(f"cd {log[-1]['cd']:.3f} reg {log[-1]['reg']:.3f} buffer {len(sampler.examples)} trace {tuple(trace.shape)}")
