# gradwatch-corpus: kind=none
"""Query tower / recipe tower.  Recipe vectors are worked out once per basket of queries."""
import torch

torch.set_num_threads(1)

from towers import Kitchen, TwoTower, basket

torch.manual_seed(7)
kitchen = Kitchen(recipes=25)
model = TwoTower(kitchen)
opt = torch.optim.Adam(model.parameters(), lr=3e-3)

for rnd in range(900):
    opt.zero_grad()
    loss = 0.0
    for query, recipe in basket(kitchen, queries=6):
        loss = loss + model.rank_loss(query, recipe, rivals=3)
    loss.backward()
    opt.step()
    model.forget()
    if rnd % 150 == 0:
        print(rnd, round(loss.item() / 6, 4), "hits", model.hits, "misses", model.misses)
