# gradwatch-corpus: kind=memory-climb
# first-bad: 1
# holder: history | history["recon"] | history["latent"] | history["input"]
# Kaggle notebook: anomaly detection with an autoencoder, everything kept to be plotted at the end
import numpy as np
import torch
import torch.nn as nn

np.random.seed(0)
torch.manual_seed(0)

SEQ, FEAT = 256, 512


class AE(nn.Module):
    def __init__(self):
        super().__init__()
        self.e = nn.Linear(FEAT, 32)
        self.d = nn.Linear(32, FEAT)

    def forward(self, x):
        z = torch.relu(self.e(x))
        return self.d(z), z


model = AE()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
history = {"loss": [], "recon": [], "latent": []}

for step in range(220):
    x = torch.from_numpy(np.random.randn(SEQ, FEAT).astype("float32"))
    out, z = model(x)
    loss = ((out - x) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    history["loss"].append(loss.item())
    history["recon"].append((out - x).detach().numpy() ** 2)  # <- culprit
    history["latent"].append(z.detach().numpy().copy())  # <- culprit
    if step % 50 == 0:
        print(step, np.mean(history["loss"][-50:]))

print("error of the last batch per feature", history["recon"][-1].mean(0)[:5])
