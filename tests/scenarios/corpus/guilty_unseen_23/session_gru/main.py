# gradwatch-corpus: kind=graph-held
# holder: self.last_state | model.last_state
# first-bad: 1
import torch

from model import SessionGRU, bpr_max
from sessions import SessionBatches, simulate

N_ITEMS = 1500
N_SESSIONS = 9000
BATCH = 50
N_NEG = 32


def recall_at_k(model, clicks, n=400, k=20):
    ids = [i for i in range(len(clicks)) if i in model.last_state][:n]
    hits = 0
    for sid in ids:
        hits += int(clicks[sid, -1] in model.rank(sid, k))
    return hits / len(ids)


def train(model, batches, epochs, lr):
    optimizer = torch.optim.Adagrad(model.parameters(), lr=lr)
    for epoch in range(epochs):
        model.train()
        total, n = 0.0, 0
        for ids, inp, target in batches:
            optimizer.zero_grad()
            out = model(ids, inp)
            neg_items = torch.randint(N_ITEMS, (N_NEG,))
            pos = model.score(out, target)
            neg = out @ model.out_emb(neg_items).t() + model.out_bias(neg_items).squeeze(1)
            loss = bpr_max(pos, neg)
            loss.backward()
            optimizer.step()
            total += loss.item()
            n += 1
            if n % 60 == 0:
                print(f"epoch {epoch} batch {n}/{len(batches)} loss {total / n:.4f}")


if __name__ == "__main__":
    torch.manual_seed(7)
    clicks = simulate(N_SESSIONS, N_ITEMS, length=20)
    model = SessionGRU(N_ITEMS)
    train(model, SessionBatches(clicks, BATCH), epochs=1, lr=0.08)
    model.eval()
    print("recall@20 %.3f" % recall_at_k(model, clicks))
    print("sessions with a state:", len(model.last_state))
