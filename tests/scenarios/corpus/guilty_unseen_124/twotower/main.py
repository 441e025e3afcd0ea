# gradwatch-corpus: kind=graph-held
# holder: model.users.memo | model.users.memo.table | self.memo.table | self.table
# first-bad: 1
# notice: 8
import torch
import torch.nn.functional as F

from towers import TwoTower

torch.set_num_threads(1)
torch.manual_seed(21)

N_USERS, N_ITEMS = 80, 120
taste = torch.randn(N_USERS, 3)
genre = torch.randn(N_ITEMS, 3)


def sample_sessions(n):
    u = torch.randint(0, N_USERS, (n,))
    i = torch.multinomial(torch.softmax(2 * taste[u] @ genre.t(), 1), 1).squeeze(1)
    return u, i


def in_batch_softmax(uv, iv, tau=0.2):
    return F.cross_entropy(uv @ iv.t() / tau, torch.arange(len(uv)))


model = TwoTower(N_USERS, N_ITEMS)
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
session_no = 0
for day in range(8):
    running = 0.0
    for _ in range(40):
        u, i = sample_sessions(24)
        loss = in_batch_softmax(*model(u, i, key=session_no))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        running += loss.item()
        session_no += 1
    print(f"day {day}  loss {running / 40:.3f}  drift {model.users.drift(session_no - 1):.3f}")
