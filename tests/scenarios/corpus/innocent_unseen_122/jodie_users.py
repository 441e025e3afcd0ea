# gradwatch-corpus: kind=none
# dynamic user/item embeddings (JODIE style). Memory is cut after every batch of interactions.
import torch; torch.set_num_threads(1)
import torch.nn as nn, torch.nn.functional as F

torch.manual_seed(123)
U, I, D, B = 15, 12, 8, 5
user_rnn, item_rnn = nn.GRUCell(D + 1, D), nn.GRUCell(D + 1, D)
predict = nn.Linear(D + 1, D)
init_u, init_i = nn.Parameter(torch.randn(D) * .1), nn.Parameter(torch.randn(D) * .1)
params = [*user_rnn.parameters(), *item_rnn.parameters(), *predict.parameters(), init_u, init_i]
opt = torch.optim.Adam(params, lr=3e-3)
pref = torch.softmax(2 * torch.randn(U, I), -1)


def interactions(n_batches):
    for _ in range(n_batches):
        u = torch.randperm(U)[:B]
        yield u, torch.multinomial(pref[u], 1).squeeze(1), torch.rand(B, 1)


def scatter(mem, idx, val):
    keep = torch.ones(len(mem), 1).index_fill(0, idx, 0.0)
    return mem * keep + torch.zeros_like(mem).index_add(0, idx, val)


def run_epoch(n_batches=60, t_batch=3):
    umem, imem = init_u.expand(U, D), init_i.expand(I, D)
    losses, shown = [], []
    for k, (u, i, dt) in enumerate(interactions(n_batches), 1):
        guess = predict(torch.cat([umem[u], dt], 1))
        losses.append(F.cross_entropy(guess @ imem.t(), i))
        du = user_rnn(torch.cat([imem[i], dt], 1), umem[u])
        di = item_rnn(torch.cat([umem[u], dt], 1), imem[i])
        umem, imem = scatter(umem, u, du), scatter(imem, i, di / i.bincount(minlength=I)[i].unsqueeze(1))
        if k % t_batch == 0:
            loss = torch.stack(losses).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            shown.append(loss.item() / t_batch)
            losses.clear()
            umem, imem = umem.detach(), imem.detach()
    return sum(shown) / len(shown)


for ep in range(24):
    m = run_epoch()
    if ep % 6 == 5:
        print(f"epoch {ep + 1} next-item loss {m:.3f}")
