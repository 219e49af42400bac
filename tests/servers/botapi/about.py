"""The methods of the Bot API about the bot and the chats it is in."""

from __future__ import annotations

import json
import re
from typing import Any

from . import params
from .errors import bad
from .methods import Given, Method
from .world import World

MOST_COMMANDS = 100


def get_me(world: World, given: Given) -> Any:
    return {
        **world.me.json(),
        "can_join_groups": world.joins_groups,
        "can_read_all_group_messages": False,
        "supports_inline_queries": False,
        "can_connect_to_business": False,
        "has_main_web_app": False,
        "has_topics_enabled": False,
        "allows_users_to_create_topics": False,
        "can_manage_bots": False,
    }


def get_chat(world: World, given: Given) -> Any:
    chat = world.chat_for(params.integer(given, "chat_id"))
    out = {
        **chat.json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(
            (
                "unlimited_gifts",
                "limited_gifts",
                "unique_gifts",
                "premium_subscription",
                "gifts_from_channels",
            ),
            False,
        ),
    }
    if chat.pinned and chat.pinned[-1] in chat.posts:
        out["pinned_message"] = chat.posts[chat.pinned[-1]].json(nested=False)
    return out


def get_chat_member(world: World, given: Given) -> Any:
    chat = world.chat_for(params.integer(given, "chat_id"))
    number = params.integer(given, "user_id")
    if number == world.me.id:
        return world.membership(chat.bot if chat.person is None else "member")
    person = world.people.get(number or 0)
    if person is None:
        raise bad("invalid user_id specified")
    return world.membership(
        "member" if person.id in chat.members or chat.person is person else "left", person
    )


def leave_chat(world: World, given: Given) -> Any:
    chat = world.chat_for(params.integer(given, "chat_id"))
    if chat.person is not None:
        raise bad("chat member status can't be changed in private chats")
    world.standing(chat, world.me, "left")
    return True


def chat_action(world: World, given: Given) -> Any:
    world.writable(params.integer(given, "chat_id"))
    return True


def _scope(given: Given) -> str:
    return json.dumps(
        [params.structure(given, "scope") or {"type": "default"}, given.get("language_code") or ""],
        sort_keys=True,
    )


def set_commands(world: World, given: Given) -> Any:
    commands = params.structure(given, "commands")
    if not isinstance(commands, list) or len(commands) > MOST_COMMANDS:
        raise bad("expected an Array of BotCommand")
    for one in commands:
        if not re.fullmatch(r"[a-z0-9_]{1,32}", str(one.get("command", "")).lstrip("/")):
            raise bad("BOT_COMMAND_INVALID")
        if not 1 <= len(str(one.get("description", ""))) <= 256:
            raise bad("BOT_COMMAND_DESCRIPTION_INVALID")
    world.commands[_scope(given)] = [
        {"command": one["command"].lstrip("/"), "description": one["description"]} for one in commands
    ]
    return True


def get_commands(world: World, given: Given) -> Any:
    return world.commands.get(_scope(given), [])


def delete_commands(world: World, given: Given) -> Any:
    world.commands.pop(_scope(given), None)
    return True


ABOUT: dict[str, Method] = {
    "getme": get_me,
    "getchat": get_chat,
    "getchatmember": get_chat_member,
    "leavechat": leave_chat,
    "sendchataction": chat_action,
    "setmycommands": set_commands,
    "getmycommands": get_commands,
    "deletemycommands": delete_commands,
}
