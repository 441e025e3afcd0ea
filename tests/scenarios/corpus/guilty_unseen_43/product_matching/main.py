# gradwatch-corpus: kind=graph-chain
# holder: trainer.criterion.smoother.value | self.value | self.smoother.value | criterion.smoother.value | smoother.value
# first-bad: 1
import torch
from torch import nn

from losses import SmoothedInfoNCE
from pairs import PairStream


class Tower(nn.Module):
    def __init__(self, d_in, d_out=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d_in, 32), nn.GELU(), nn.Linear(32, d_out))

    def forward(self, x):
        return nn.functional.normalize(self.net(x), dim=-1)


class DualEncoder(nn.Module):
    def __init__(self, d_text, d_image):
        super().__init__()
        self.text = Tower(d_text)
        self.image = Tower(d_image)


class MatchTrainer:
    def __init__(self, model, criterion, lr=3e-3):
        self.model = model
        self.criterion = criterion
        params = list(model.parameters()) + list(criterion.parameters())
        self.optimizer = torch.optim.Adam(params, lr=lr)

    def train_batch(self, text, image):
        t, v = self.model.text(text), self.model.image(image)
        loss, acc = self.criterion(t, v)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item(), acc


def main():
    torch.manual_seed(2)
    stream = PairStream(n_products=200, d_text=20, d_image=28, batch=40)
    trainer = MatchTrainer(DualEncoder(20, 28), SmoothedInfoNCE(init_temp=0.2))
    for i, (text, image) in enumerate(stream.take(120)):
        loss, acc = trainer.train_batch(text, image)
        if i % 30 == 29:
            print(f"iter {i + 1}: nce {loss:.4f} top1 {acc:.2f} temp {trainer.criterion.current_temp():.3f}")


if __name__ == "__main__":
    main()
