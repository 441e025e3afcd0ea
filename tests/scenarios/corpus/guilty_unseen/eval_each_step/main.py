# gradwatch-corpus: kind=graph-unused
# first-bad: 0
import torch

from pkg.evaluation import evaluate
from pkg.model import TextCNN

torch.manual_seed(100)
VOCAB = 120
model = TextCNN(VOCAB)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
criterion = torch.nn.BCEWithLogitsLoss()


def sample(n):
    t = torch.randint(0, VOCAB, (n, 20))
    return t, (t[:, :5].sum(1) > 300).float()


valid = [sample(32) for _ in range(4)]
for it in range(120):
    tokens, labels = sample(32)
    model.train()
    loss = criterion(model(tokens), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    scores = evaluate(model, valid)  # <- culprit
    if it % 20 == 0:
        print(it, loss.item(), scores)
