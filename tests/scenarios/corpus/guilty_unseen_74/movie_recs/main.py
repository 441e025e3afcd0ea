# gradwatch-corpus: kind=graph-chain
# holder: self.mean_sum | model.mean_sum | net.mean_sum | self.net.mean_sum | fitter.net.mean_sum
# first-bad: 1
# notice: 5
"""Assignment 4: recommend movies by matrix factorization."""
import torch

from ratings import RatingTable
from factor_model import FactorModel
from fit import Fitter

torch.set_num_threads(1)
torch.manual_seed(11)

NUM_USERS = 60
NUM_MOVIES = 40
EPOCHS = 6

table = RatingTable(NUM_USERS, NUM_MOVIES, density=0.5)
train, test = table.split(0.85)
print("ratings:", len(train), "for training,", len(test), "for testing")

model = FactorModel(NUM_USERS, NUM_MOVIES, k=6)
fitter = Fitter(model, lr=0.03)

for epoch in range(EPOCHS):
    train_loss = fitter.fit_epoch(train, batch_size=48)
    rmse = fitter.evaluate(test)
    print(f"epoch {epoch}: loss {train_loss:.4f}  test rmse {rmse:.4f}")

best = model.recommend(user=5, top=3)
print("user 5 should watch", best)
print("steps:", fitter.steps)
