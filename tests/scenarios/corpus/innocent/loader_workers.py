# gradwatch-corpus: kind=none
# about: worker processes forked from the training process, anew each epoch, with a collate
# about: function and augmentations that use torch; in evaluation the loader has workers of its
# about: own
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS
from torch.utils.data import DataLoader, Dataset


class Augmented(Dataset):
    def __init__(self, seed, n=320):
        self.x, self.y = classes(n, seed=seed)

    def __len__(self):
        return len(self.x)

    def __getitem__(self, i):
        g = torch.Generator().manual_seed(i)
        return self.x[i] + 0.1 * torch.randn(16, generator=g), self.y[i]


def collate(samples):
    xs, ys = zip(*samples)
    return {"x": torch.stack(xs), "y": torch.stack(ys)}


def main():
    torch.manual_seed(0)
    train = DataLoader(Augmented(0), batch_size=8, shuffle=True, num_workers=2, collate_fn=collate)
    valid = DataLoader(Augmented(0, 64), batch_size=32, num_workers=1, collate_fn=collate)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    step, epoch = 0, 0
    while step < ITERATIONS // 2:
        model.train()
        for batch in train:
            loss = nn.functional.cross_entropy(model(batch["x"]), batch["y"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        model.eval()
        with torch.no_grad():
            right = sum((model(b["x"]).argmax(1) == b["y"]).sum().item() for b in valid)
        print(f"epoch {epoch}: {step} steps, {loss.item():.6f}, {right} of 64 right")
        epoch += 1


if __name__ == "__main__":
    main()
