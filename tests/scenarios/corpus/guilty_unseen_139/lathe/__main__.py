# gradwatch-corpus: kind=graph-held
# holder: host.model.encoder._forward_hooks | self.model.encoder._forward_hooks | model.encoder._forward_hooks | hook.__closure__ | reference
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)
torch.manual_seed(9)

from .host import Host
from .plugins import load

host = Host(plugins=[load("drift"), load("progress", every=80)])
host.run(steps=320)
print("settled drift", round(host.plugin("drift").level, 4))
