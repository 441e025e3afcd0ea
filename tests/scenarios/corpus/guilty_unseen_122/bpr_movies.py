# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# notice: 5
#!/usr/bin/env python3
# BPR matrix factorization, following the tutorial but with implicit feedback
import torch
torch.set_num_threads(1)
import random

random.seed(5)
torch.manual_seed(5)

n_users, n_movies, k = 30, 50, 6
likes = {u: random.sample(range(n_movies), 8) for u in range(n_users)}

user_emb = torch.nn.Embedding(n_users, k)
movie_emb = torch.nn.Embedding(n_movies, k)
torch.nn.init.normal_(user_emb.weight, std=0.1)
torch.nn.init.normal_(movie_emb.weight, std=0.1)
params = list(user_emb.parameters()) + list(movie_emb.parameters())
optimizer = torch.optim.SGD(params, lr=0.01)


def get_batch(size=16):
    u = [random.randrange(n_users) for _ in range(size)]
    pos = [random.choice(likes[i]) for i in u]
    neg = []
    for i in u:
        j = random.randrange(n_movies)
        while j in likes[i]:
            j = random.randrange(n_movies)
        neg.append(j)
    return torch.tensor(u), torch.tensor(pos), torch.tensor(neg)


def bpr_loss(u, i, j):
    ue = user_emb(u)
    x_uij = (ue * movie_emb(i)).sum(1) - (ue * movie_emb(j)).sum(1)
    return -torch.nn.functional.logsigmoid(x_uij).mean()


total_loss = torch.zeros(())
for batch in range(200):
    u, i, j = get_batch()
    total_loss = total_loss + bpr_loss(u, i, j)  # <- culprit
    optimizer.zero_grad()
    total_loss.backward(retain_graph=True)
    optimizer.step()
    if (batch + 1) % 50 == 0:
        print("batch", batch + 1, "avg loss", (total_loss / (batch + 1)).item())

# quick auc
with torch.no_grad():
    s = user_emb.weight @ movie_emb.weight.t()
    auc = sum((s[u_][p] > s[u_][q]).item() for u_ in likes for p in likes[u_] for q in range(0, n_movies, 7)) / (30 * 8 * 8)
print("auc ~", round(auc, 3))
