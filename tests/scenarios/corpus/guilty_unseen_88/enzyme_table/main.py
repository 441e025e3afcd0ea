# gradwatch-corpus: kind=graph-held
# holder: book.columns["Vmax"] | book.columns["Km"] | book.columns["sse"] | book.columns["Ki"] | self.columns[k] | self.columns | book.columns | Notebook.columns
# first-bad: 1
# notice: 8
"""Michaelis-Menten with a competitive inhibitor: global fit of all the progress curves.

The rate constants come out of a tiny network on the (pH, temperature) of each
experiment. Every fit step is written in the lab notebook.
"""
import torch

from assay import Assay
from labbook import Notebook, noted
from kinetics import RateNet, velocity

torch.set_num_threads(1)
torch.manual_seed(31)

assay = Assay(n_exp=24, n_sub=8)
net = RateNet()
book = Notebook("fit of 2024-03-11")
optim = torch.optim.Adam(net.parameters(), lr=8e-3)


@noted(book)
def evaluate(cond, S, inhib, v_obs):
    vmax, km, ki = net(cond)
    v = velocity(S, inhib, vmax, km, ki)
    resid = (v - v_obs) / (0.05 + 0.1 * v_obs)
    sse = (resid ** 2).mean()
    return {"sse": sse, "Vmax": vmax.mean(), "Km": km.mean(), "Ki": ki.mean()}


def fit(n_iter):
    for i in range(n_iter):
        out = evaluate(*assay.draw(6))
        optim.zero_grad()
        out["sse"].backward()
        optim.step()
        if i % 100 == 99:
            print("after", i + 1, "steps: sse", round(float(out["sse"].detach()), 4))


fit(400)
book.describe(last=50)
