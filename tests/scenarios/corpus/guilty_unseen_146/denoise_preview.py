# gradwatch-corpus: kind=memory-climb
# holder: results["denoised"] | results['denoised'] | results
# first-bad: 1
# notice: 60
import torch
import torch.nn as nn
torch.set_num_threads(1)
torch.manual_seed(1234)

bs, hw = 32, 32


class ConvAutoencoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv2d(1, 4, 3, stride=2, padding=1), nn.ReLU(),
                                     nn.Conv2d(4, 8, 3, stride=2, padding=1), nn.ReLU())
        self.decoder = nn.Sequential(nn.ConvTranspose2d(8, 4, 2, 2), nn.ReLU(),
                                     nn.ConvTranspose2d(4, 1, 2, 2), nn.Sigmoid())

    def forward(self, x):
        return self.decoder(self.encoder(x))


def clean_images(n):
    g = torch.linspace(0, 1, hw)
    ang = torch.rand(n, 1, 1, 1) * 3.14
    return .5 + .5 * torch.sin(12 * (torch.cos(ang) * g.view(1, 1, 1, -1) + torch.sin(ang) * g.view(1, 1, -1, 1)))


model = ConvAutoencoder()
criterion = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
results = {'loss': [], 'denoised': []}

n_epochs = 10
for epoch in range(1, n_epochs + 1):
    train_loss = 0.0
    for _ in range(45):
        images = clean_images(bs)
        noisy = (images + 0.3 * torch.randn_like(images)).clamp(0, 1)
        optimizer.zero_grad()
        outputs = model(noisy)
        loss = criterion(outputs, images)
        loss.backward()
        optimizer.step()
        train_loss += loss.item() * images.size(0)
        results['denoised'].append(outputs.detach().cpu())  # <- culprit
    results['loss'].append(train_loss / 45 / bs)
    print('Epoch: {} \tTraining Loss: {:.6f}'.format(epoch, results['loss'][-1]))

grid = results['denoised'][-1][:4]
print(grid.shape)
