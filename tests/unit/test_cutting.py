"""What is said of a tensor that one iteration hands to the next with its graph."""

from __future__ import annotations

import ast
import os
from dataclasses import replace

from gradwatch_agent.advice.caching import forget
from gradwatch_agent.advice.cutting import call_it, cut_the_chain
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.together import cut_all
from gradwatch_agent.source.syntax.places import Store


def test_what_is_no_tensor_at_first_is_detached_behind_the_backward():
    assert cut_the_chain(Kept("h"), None).startswith("At the start of each iteration")
    assert cut_the_chain(Kept("h", empty=True), None).startswith("Once backward is done")


def test_of_several_the_place_is_one_that_fits_all():
    several = [cut_the_chain(Kept("h"), None), cut_the_chain(Kept("c", empty=True), None)]
    told = cut_all(several)
    assert told.startswith("Once backward is done")
    assert "`h = h.detach(); c = c.detach()`" in told


def test_elements_of_one_list_are_detached_in_one_sentence():
    told = cut_all([cut_the_chain(Kept(f"bank.of[{n}].mean"), None) for n in (2, 1)])
    assert told.endswith(
        ": `for each in (bank.of[1], bank.of[2]): each.mean = each.mean.detach()`."
    )
    several = [cut_the_chain(Kept(name), None) for name in ("of[1].mean", "of[1].spread", "h")]
    cut = "of[1].mean = of[1].mean.detach(); of[1].spread = of[1].spread.detach(); h = h.detach()"
    assert f"`{cut}`" in cut_all(several)


def test_a_method_that_nobody_calls_is_to_be_called():
    several = [call_it("net.first.cut()"), cut_the_chain(Kept("net.second.mem"), None)]
    assert several[0].startswith("Once backward is done: `net.first.cut()`")
    told = cut_all(several)
    assert told.startswith("Once backward is done")
    assert "`net.first.cut(); net.second.mem = net.second.mem.detach()`" in told


def test_caches_of_several_layers_are_emptied_in_one_sentence():
    node = ast.parse("self.cache = self.build()").body[0]
    store = Store("job.py", 1, 1, node, "look", 1, "L", False, "assign", fresh=False)
    store = replace(store, target="self.cache")
    told = cut_all([forget(Kept(f"layers[{n}].cache", name="cache"), store) for n in (4, 2)])
    assert told.count("What it remembers") == 1
    assert "`layers[4].cache = None; layers[2].cache = None`" in told


def test_a_method_of_the_name_cache_makes_no_function_remember():
    node = ast.parse("self.state = self.cache(state)").body[0]
    store = Store("job.py", 1, 1, node, "step", 1, "L", False, "assign", fresh=False)
    told = cut_the_chain(Kept("net.state", name="state"), replace(store, target="self.state"))
    assert "cache_clear" not in told


def put(code: str) -> Store:
    node = ast.parse(code).body[0]
    return Store("job.py", 1, 1, node, "act", 1, "", True, "append", fresh=False)


def test_a_list_by_which_alone_the_loss_trains_is_emptied():
    kept = Kept("policy.log_probs", kinds=("list",), labels=("[3]",), lone=True)
    told = cut_the_chain(kept, put("policy.log_probs.append(found)"))
    assert told.startswith("Once backward is done: `policy.log_probs.clear()`")


def test_a_list_of_which_the_loss_reaches_all_may_be_emptied():
    kept = Kept("memory", "memory", kinds=("list",), labels=("[3]",), renewed=True)
    told = cut_the_chain(kept, replace(put("memory.append(found)"), target="memory"))
    assert told.startswith("Once backward is done: `memory.clear()`; or")
    assert told.endswith("stay there, `memory = [t.detach() for t in memory]`.")


def test_a_list_that_is_forgotten_where_others_are_emptied(tmp_path):
    def appended(text: str) -> Store:
        file = tmp_path / f"{len(text)}.py"
        file.write_text(text)
        os.utime(file, (0, 0))
        store = replace(put("self.log_probs.append(log_prob)"), file=str(file), line=3)
        return replace(store, target="self.log_probs")

    kept = Kept("agent.trace.log_probs", kinds=("list",), labels=("[3]",), lone=True)
    told = cut_the_chain(kept, appended(EPISODE))
    assert told == "Empty it, too, where `self.rewards.clear()` stands: `self.log_probs.clear()`."
    told = cut_the_chain(replace(kept, lone=False), appended(EPISODE))
    assert told.endswith(
        "or, unless the loss trains by what lies there, store it without its graph: "
        "`self.log_probs.append(log_prob.detach())`."
    )
    both = EPISODE + "        self.log_probs.clear()\n"
    assert "Empty it, too" not in cut_the_chain(kept, appended(both))


EPISODE = """class Trace:
    def add(self, log_prob, reward):
        self.log_probs.append(log_prob)
        self.rewards.append(reward)

    def clear(self):
        self.rewards.clear()
"""


def test_names_that_are_told_together_are_listed():
    told = cut_all([f"Compute `{name}`, all of it, anew." for name in ("odds", "gains")])
    assert told == "Compute `odds`, `gains`, all of it, anew."


def test_a_ring_is_not_to_be_emptied_first():
    kept = Kept("bank", kinds=("deque",), labels=("[3]",), renewed=True)
    told = cut_the_chain(kept, put("bank.append(key)"))
    assert told.startswith("Store it without its graph: `bank.append(key.detach())`; or, ")
