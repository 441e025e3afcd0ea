# gradwatch-corpus: kind=retain-needless
# first-bad: 0
import torch
import torch.nn as nn


class LSTMClassifier(nn.Module):
    def __init__(self, vocab, emb, hid, n_cls):
        super().__init__()
        self.embedding = nn.Embedding(vocab, emb)
        self.lstm = nn.LSTM(emb, hid, batch_first=True)
        self.fc = nn.Linear(hid, n_cls)

    def forward(self, tok):
        _, (h, c) = self.lstm(self.embedding(tok))
        return self.fc(h[-1])


def fit(model, batches, n_steps, lr=1e-3):
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    loss_func = nn.CrossEntropyLoss()
    correct = total = 0
    for step in range(n_steps):
        tok, lab = batches(step)
        model.train()
        logits = model(tok)
        loss = loss_func(logits, lab)
        opt.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
        correct += (logits.argmax(1) == lab).sum().item()
        total += len(lab)
        if step % 50 == 0:
            print(f"step={step} loss={loss.item():.3f} acc={correct / total:.3f}")


def make(step):
    g = torch.Generator().manual_seed(step)
    tok = torch.randint(0, 100, (32, 14), generator=g)
    return tok, (tok < 20).any(1).long()


torch.manual_seed(1)
fit(LSTMClassifier(100, 32, 48, 2), make, 160)
