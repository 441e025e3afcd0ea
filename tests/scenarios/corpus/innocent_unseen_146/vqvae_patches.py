# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F
torch.set_num_threads(1)
torch.manual_seed(33)


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z, book):
        idx = torch.cdist(z, book).argmin(1)
        ctx.save_for_backward(idx)
        ctx.mark_non_differentiable(idx)
        return book[idx], idx

    @staticmethod
    def backward(ctx, gq, gidx):
        return gq.clone(), None


class EMABook(nn.Module):
    def __init__(self, k, d, decay=0.97):
        super().__init__()
        self.decay = decay
        self.register_buffer('book', torch.randn(k, d))
        self.register_buffer('size', torch.ones(k))
        self.register_buffer('total', self.book.clone())
        self.usage = []

    def forward(self, z):
        q, idx = Quantise.apply(z, self.book)
        commit = F.mse_loss(z, q.detach())
        if self.training:
            self.update(z, idx)
        return q, commit

    @torch.no_grad()
    def update(self, z, idx):
        onehot = F.one_hot(idx, len(self.book)).type_as(z)
        self.size = self.decay * self.size + (1 - self.decay) * onehot.sum(0)
        self.total = self.decay * self.total + (1 - self.decay) * onehot.t() @ z
        self.book = self.total / (self.size.unsqueeze(1) + 1e-5)
        self.usage.append(onehot.amax(0).mean().item())


class VQVAE(nn.Module):
    def __init__(self, p=16, d=4, k=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(p, 24), nn.ReLU(), nn.Linear(24, d))
        self.vq = EMABook(k, d)
        self.dec = nn.Sequential(nn.Linear(d, 24), nn.ReLU(), nn.Linear(24, p))

    def forward(self, x):
        q, commit = self.vq(self.enc(x))
        return self.dec(q), commit


textures = torch.randn(10, 16)
model = VQVAE()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
train_res_recon_error = []
model.train()
for i in range(700):
    data = textures[torch.randint(0, 10, (20,))] + .1 * torch.randn(20, 16)
    optimizer.zero_grad()
    data_recon, vq_loss = model(data)
    recon_error = F.mse_loss(data_recon, data)
    loss = recon_error + 0.25 * vq_loss
    loss.backward()
    optimizer.step()
    train_res_recon_error.append(recon_error.item())
    if (i + 1) % 140 == 0:
        print(i + 1, sum(train_res_recon_error[-100:]) / 100, model.vq.usage[-1])
