# gradwatch-corpus: kind=graph-chain
# holder: rnn_states
# first-bad: 1
#
# Next-dish prediction for a canteen. One visit per step, attention over the
# states of the last few visits.
import torch, random
import torch.nn as nn
import torch.nn.functional as F
from torch import optim

random.seed(5)
torch.manual_seed(5)

N_DISH   = 30
D        = 20
KEEP     = 6          # visits the attention looks at
VISITS   = 150
GUESTS   = 8


class VisitCell(nn.Module):
    def __init__(self):
        super(VisitCell, self).__init__()
        self.inp   = nn.Linear(N_DISH, D)
        self.query = nn.Linear(N_DISH, D)
        self.out   = nn.Linear(D, N_DISH)

    def forward(self, basket, rnn_states):
        # rnn_states: (KEEP, GUESTS, D)
        q = self.query(basket)
        scores = (rnn_states * q.unsqueeze(0)).sum(-1) / D ** 0.5
        alpha = F.softmax(scores, dim=0)
        ctx = (alpha.unsqueeze(-1) * rnn_states).sum(0)
        h = torch.tanh(self.inp(basket) + ctx)
        return h, self.out(h)


class Canteen:
    """every guest cycles through his favourites, with some noise"""
    def __init__(self):
        self.fav = [random.sample(range(N_DISH), 5) for _ in range(GUESTS)]
        self.day = 0

    def serve(self):
        today, tomorrow = [], []
        for f in self.fav:
            today.append(f[self.day % 5] if random.random() < .9 else random.randrange(N_DISH))
            tomorrow.append(f[(self.day + 1) % 5])
        self.day += 1
        return F.one_hot(torch.tensor(today), N_DISH).float(), torch.tensor(tomorrow)


cell = VisitCell()
opt = optim.Adam(cell.parameters(), lr=3e-3)
canteen = Canteen()

rnn_states = torch.zeros(KEEP, GUESTS, D)
hits = seen = 0
for visit in range(VISITS):
    basket, target = canteen.serve()
    opt.zero_grad()
    h, logits = cell(basket, rnn_states)
    loss = F.cross_entropy(logits, target)
    loss.backward(retain_graph=True)
    opt.step()

    # oldest visit out, newest in
    rnn_states = torch.cat([rnn_states[1:], h.unsqueeze(0)], dim=0)  # <- culprit

    hits += int((logits.argmax(-1) == target).sum())
    seen += GUESTS
    if (visit + 1) % 30 == 0:
        print('visit %3d  loss %.3f  acc %.2f' % (visit + 1, loss.item(), hits / seen))
        hits = seen = 0
