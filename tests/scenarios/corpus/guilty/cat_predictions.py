# gradwatch-corpus: kind=graph-held
# holder: all_preds
# about: training predictions concatenated for the epoch's metric
import torch
from torch import nn


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(13, 32), nn.Linear(32, 32), nn.Linear(32, 1)])
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = self.dropout(torch.relu(layer(x)))
        return self.layers[-1](x).squeeze(-1)


def auc(scores, labels):
    positive, negative = scores[labels == 1], scores[labels == 0]
    return (positive[:, None] > negative[None, :]).float().mean().item()


def train_one_epoch(model, optimizer, loader):
    all_preds = torch.empty(0)
    all_labels = torch.empty(0)
    for x, y in loader:
        pred = model(x)
        loss = nn.functional.binary_cross_entropy_with_logits(pred, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        all_preds = torch.cat([all_preds, pred])  # <- culprit
        all_labels = torch.cat([all_labels, y])
    return auc(all_preds, all_labels)


if __name__ == "__main__":
    torch.manual_seed(0)
    model = MLP()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    x = torch.randn(480, 13)
    y = (x[:, 0] > 0.2).float()
    for epoch in range(2):
        value = train_one_epoch(model, optimizer, list(zip(x.split(16), y.split(16))))
        print(f"epoch {epoch} train auc {value:.3f}")
