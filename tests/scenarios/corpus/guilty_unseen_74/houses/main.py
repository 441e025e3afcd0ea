# gradwatch-corpus: kind=second-backward
# holder: self.encoded | self.encoded[number] | coder.encoded | self.coder.encoded | course.coder.encoded | self.coder.encoded[number] | code
# first-bad: 5
# notice: 0
"""Course project: the price of a house from its district and its numbers."""
import torch
from town import Town, NUMBERS
from estimator import Estimator, PriceCourse

torch.manual_seed(21)
torch.set_num_threads(1)

town = Town(districts=8)
train = [town.houses(40) for _ in range(5)]
test = town.houses(100)

print("training batches:", len(train))
print("columns:", ", ".join(NUMBERS))

net = Estimator(districts=8, numbers=len(NUMBERS))
course = PriceCourse(net, train, test)
course.run(epochs=12)
course.report()
