# gradwatch-corpus: kind=retain-needless
# first-bad: 0
#!/usr/bin/env python
# coding: utf-8

# # Beta-VAE on synthetic stripes

# In[ ]:

import torch
from torch import nn, optim
from torch.nn import functional as F

torch.manual_seed(1)

# In[ ]:


def stripes(n, size=8):
    out = torch.zeros(n, size, size)
    k = torch.randint(0, size, (n,))
    horiz = torch.rand(n) < 0.5
    for i in range(n):
        if horiz[i]:
            out[i, k[i]] = 1
        else:
            out[i, :, k[i]] = 1
    return out.view(n, -1)


train_x = stripes(1024)
test_x = stripes(128)

# In[ ]:


class VAE(nn.Module):
    def __init__(self, d=64, h=40, z=4):
        super(VAE, self).__init__()
        self.fc1 = nn.Linear(d, h)
        self.fc21 = nn.Linear(h, z)
        self.fc22 = nn.Linear(h, z)
        self.fc3 = nn.Linear(z, h)
        self.fc4 = nn.Linear(h, d)

    def encode(self, x):
        h1 = F.relu(self.fc1(x))
        return self.fc21(h1), self.fc22(h1)

    def reparameterize(self, mu, logvar):
        std = torch.exp(0.5 * logvar)
        return mu + torch.randn_like(std) * std

    def decode(self, z):
        return torch.sigmoid(self.fc4(F.relu(self.fc3(z))))

    def forward(self, x):
        mu, logvar = self.encode(x)
        return self.decode(self.reparameterize(mu, logvar)), mu, logvar


def loss_function(recon_x, x, mu, logvar, beta=0.5):
    BCE = F.binary_cross_entropy(recon_x, x, reduction='sum')
    KLD = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return BCE + beta * KLD, BCE, KLD


# In[ ]:

model = VAE()
optimizer = optim.Adam(model.parameters(), lr=1e-3)
hist = []

for epoch in range(1, 16):
    model.train()
    train_loss = 0
    for batch_idx, data in enumerate(train_x[torch.randperm(1024)].split(32)):
        optimizer.zero_grad()
        recon_batch, mu, logvar = model(data)
        loss, bce, kld = loss_function(recon_batch, data, mu, logvar)
        loss.backward(retain_graph=True)  # <- culprit
        train_loss += loss.item()
        optimizer.step()
    hist.append(train_loss / 1024)

    model.eval()
    with torch.no_grad():
        recon, mu, logvar = model(test_x)
        test_loss = loss_function(recon, test_x, mu, logvar)[0].item() / len(test_x)
    print('====> Epoch: {} Average loss: {:.4f}  test: {:.4f}'.format(epoch, hist[-1], test_loss))

# In[ ]:

with torch.no_grad():
    sample = model.decode(torch.randn(2, 4)).view(2, 8, 8)
    print((sample > 0.5).int())
