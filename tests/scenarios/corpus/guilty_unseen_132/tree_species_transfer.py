# gradwatch-corpus: kind=second-backward
# holder: leaf_codes | codes
# first-bad: 1
# notice: 0
# %% Leaf photographs -> species, with a small encoder shared by two heads
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(70)

# %% data
species = torch.randint(0, 6, (48,))
photos = torch.randn(6, 3, 8, 8)[species] + 0.4 * torch.randn(48, 3, 8, 8)
family = species // 2

# %% network
encoder = nn.Sequential(
    nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU(),
    nn.Conv2d(8, 12, 3, stride=2, padding=1), nn.ReLU(), nn.Flatten(),
)
heads = nn.ModuleDict({"species": nn.Linear(48, 6), "family": nn.Linear(48, 3)})
params = list(encoder.parameters()) + list(heads.parameters())
opt = torch.optim.Adam(params, lr=1e-3)
ce = nn.CrossEntropyLoss()


# %% helper
def extract(batch):
    print("extracting", tuple(batch.shape))
    return encoder(batch)


def objective(codes):
    return ce(heads["species"](codes), species) + 0.5 * ce(heads["family"](codes), family)


# %% train
leaf_codes = extract(photos)  # <- culprit
for epoch in range(200):
    opt.zero_grad()
    loss = objective(leaf_codes)
    loss.backward()
    opt.step()
    if epoch % 20 == 0:
        print(epoch, loss.item())
