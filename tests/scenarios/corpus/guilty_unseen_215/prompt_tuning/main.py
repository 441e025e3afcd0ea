# gradwatch-corpus: kind=second-backward
# holder: self.text_features | trainer.text_features
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from encoders import FrozenImageEncoder, FrozenTextEncoder, PromptLearner


class PromptTrainer:
    def __init__(self, args):
        self.args = args
        self.text_encoder = FrozenTextEncoder()
        self.image_encoder = FrozenImageEncoder()
        self.prompts = PromptLearner(torch.randn(args.classes, 2, 32))
        self.optimizer = torch.optim.SGD(self.prompts.parameters(), lr=args.lr, momentum=0.9)
        self.centers = torch.randn(args.classes, 64)
        self.text_features = None
        self.step = 0

    def get_text_features(self):
        if self.text_features is None or self.step % self.args.refresh_every == 0:
            self.text_features = self.text_encoder(self.prompts())  # <- culprit
        return self.text_features  # <- culprit

    def sample(self):
        y = torch.randint(0, self.args.classes, (self.args.batch,))
        return self.centers[y] + 0.3 * torch.randn(len(y), 64), y

    def train_step(self):
        x, y = self.sample()
        logits = 20.0 * self.image_encoder(x) @ self.get_text_features().t()
        loss = F.cross_entropy(logits, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.step += 1
        return loss.item(), (logits.argmax(1) == y).float().mean().item()

    def train(self):
        for _ in range(self.args.steps):
            loss, acc = self.train_step()
            if self.step % 20 == 0:
                print(f"step {self.step} loss {loss:.4f} acc {acc:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--classes", type=int, default=8)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--lr", type=float, default=0.02)
    parser.add_argument("--steps", type=int, default=120)
    parser.add_argument("--refresh-every", type=int, default=10)
    args = parser.parse_args()
    torch.manual_seed(12)
    PromptTrainer(args).train()
