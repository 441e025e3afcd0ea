# gradwatch-corpus: kind=graph-chain
# holder: self.avg | self.prompt.avg | model.prompt.avg
# first-bad: 1
import torch
import torch.nn.functional as F

from .model import PromptedClassifier
from .tasks import sentiment_batches


def evaluate(model, batches):
    model.eval()
    ok = n = 0
    with torch.no_grad():
        for tok, y in batches:
            ok += (model(tok).argmax(-1) == y).sum().item()
            n += y.numel()
    model.train()
    return ok / n


def main():
    torch.manual_seed(0)
    model = PromptedClassifier(vocab=60, dim=32, n_prompt=4, n_classes=2)
    train_set = sentiment_batches(40, seed=1)
    val_set = sentiment_batches(5, seed=2)
    trainable = [p for p in model.parameters() if p.requires_grad]
    print("tuning", sum(p.numel() for p in trainable), "parameters")
    opt = torch.optim.Adam(trainable, lr=5e-3)
    for epoch in range(3):
        tot = 0.0
        for tok, y in train_set:
            opt.zero_grad()
            loss = F.cross_entropy(model(tok), y)
            loss.backward()
            opt.step()
            tot += loss.item()
        print(f"epoch {epoch} loss {tot / len(train_set):.4f} val acc {evaluate(model, val_set):.3f}")


main()
