"""What Postfix, Dovecot and OpenDKIM are told: a world of one domain on 127.0.0.1, without DNS.

Tables and texts only; `mail` starts the servers.  Traps that cost an hour each stand beside the line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class World:
    """One instance of the stack: where it lives and which ports it has."""

    home: Path
    domain: str
    smtp: int  # port 25 of the world: other people's servers deliver here
    submission: int  # STARTTLS and login
    submissions: int  # TLS and login
    inject: int  # whatever comes from this machine; for Sieve's vacation
    lmtp: int
    imap: int
    imaps: int
    auth: str  # paths of Dovecot's login service and OpenDKIM's milter: over TCP each mail waited
    milter: str  # 40 and 90 ms for delayed ACKs
    remote: dict[str, int]  # other domains, and the loopback SMTP server that answers for each
    handed: dict[str, str]  # domains handed over by LMTP: to "inet:127.0.0.1:PORT" or "unix:PATH"
    dkim: bool


def dovecot(w: World, version: tuple[int, ...]) -> str:
    """dovecot.conf; from 2.4 on Dovecot has other words for most of it."""
    newer = version >= (2, 4)
    return f"""{_dovecot_2_4(w) if newer else _dovecot_2_3(w)}
base_dir = {w.home}/dovecot/run
state_dir = {w.home}/dovecot/state
instance_name = citadels
listen = 127.0.0.1
log_path = {w.home}/dovecot.log
ssl = yes
auth_mechanisms = plain login
auth_failure_delay = 0 secs
first_valid_uid = 1
first_valid_gid = 1
mail_uid = mail
mail_gid = mail
mail_fsync = never
recipient_delimiter = +
# "final" writes Delivered-To as the sender typed it; "original" writes none at all
lmtp_hdr_delivery_address = final
postmaster_address = postmaster@{w.domain}
hostname = mx.{w.domain}
submission_host = 127.0.0.1:{w.inject}
namespace inbox {{
  inbox = yes
}}
protocol imap {{
  mail_max_userip_connections = 100
}}
{_services(w, "listen" if newer else "address")}"""


def _dovecot_2_3(w: World) -> str:
    return f"""
protocols = imap lmtp
ssl_cert = <{w.home}/cert.pem
ssl_key = <{w.home}/key.pem
disable_plaintext_auth = no
auth_username_format = %Lu
mail_home = {w.home}/homes/%n
mail_location = maildir:~/Maildir
passdb {{
  driver = passwd-file
  args = scheme=PLAIN username_format=%Lu {w.home}/users
}}
userdb {{
  driver = static
  args = uid=mail gid=mail home={w.home}/homes/%Ln
}}
protocol lmtp {{
  mail_plugins = $mail_plugins sieve
}}
plugin {{
  sieve = file:~/sieve;active=~/.dovecot.sieve
  sieve_vacation_min_period = 0s
  sieve_vacation_default_period = 1d
}}
"""


def _dovecot_2_4(w: World) -> str:
    """Its version stands first."""
    return f"""dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
protocols {{
  imap = yes
  lmtp = yes
}}
ssl_server_cert_file = {w.home}/cert.pem
ssl_server_key_file = {w.home}/key.pem
auth_allow_cleartext = yes
auth_username_format = %{{user | lower}}
mail_home = {w.home}/homes/%{{user | username | lower}}
mail_driver = maildir
mail_path = ~/Maildir
passdb passwd-file {{
  default_password_scheme = PLAIN
  passwd_file_path = {w.home}/users
}}
userdb static {{
  fields {{
    uid = mail
    gid = mail
    home = {w.home}/homes/%{{user | username | lower}}
  }}
}}
protocol lmtp {{
  mail_plugins {{
    sieve = yes
  }}
}}
sieve_script personal {{
  driver = file
  path = ~/sieve
  active_path = ~/.dovecot.sieve
}}
sieve_vacation_min_period = 0s
sieve_vacation_default_period = 1d
"""


def _services(w: World, address: str) -> str:
    return f"""
service imap-login {{
  inet_listener imap {{
    {address} = 127.0.0.1
    port = {w.imap}
  }}
  inet_listener imaps {{
    {address} = 127.0.0.1
    port = {w.imaps}
    ssl = yes
  }}
  process_min_avail = 1
}}
service lmtp {{
  inet_listener lmtp {{
    {address} = 127.0.0.1
    port = {w.lmtp}
  }}
  process_min_avail = 1
}}
service auth {{
  unix_listener {w.auth} {{
    mode = 0666
  }}
}}
service stats {{
  unix_listener stats-writer {{
    mode = 0666
  }}
}}
service anvil {{
  client_limit = 1000
  # or one wrong password makes every later login from this address wait for seconds
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""


def main_cf(w: World) -> str:
    """Postfix's main.cf"""
    milter = f"unix:{w.milter}" if w.dkim else ""
    handed = " ".join(w.handed)
    return f"""
compatibility_level = 3.6
queue_directory = {w.home}/spool
data_directory = {w.home}/postfix-data
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.{w.domain}
mydomain = {w.domain}
mydestination =
mynetworks =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = {w.domain}
virtual_mailbox_maps = texthash:{w.home}/postfix/mailboxes
virtual_transport = lmtp:inet:127.0.0.1:{w.lmtp}
relay_domains = {handed}
relay_recipient_maps =
transport_maps = texthash:{w.home}/postfix/transport
recipient_delimiter = +
smtp_dns_support_level = disabled
smtp_host_lookup = native
smtpd_peername_lookup = no
# a log outside /var needs its prefix allowed, and postlog in master.cf
maillog_file = {w.home}/postfix.log
maillog_file_prefixes = {w.home}
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
in_flow_delay = 0
smtpd_error_sleep_time = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_connection_count_limit = 0
anvil_rate_time_unit = 1s
enable_long_queue_ids = yes
smtpd_tls_cert_file = {w.home}/cert.pem
smtpd_tls_key_file = {w.home}/key.pem
smtpd_tls_security_level = may
smtpd_tls_loglevel = 0
smtp_tls_security_level = none
lmtp_tls_security_level = none
smtpd_sasl_type = dovecot
smtpd_sasl_path = {w.auth}
smtpd_sasl_security_options = noanonymous
smtpd_sender_login_maps = texthash:{w.home}/postfix/senders
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_recipient_restrictions = reject_unlisted_recipient
message_size_limit = 2000000
smtpd_milters = {milter}
milter_default_action = tempfail
notify_classes =
"""


def master_cf(w: World) -> str:
    """Postfix's master.cf"""
    owned = (
        "-o smtpd_sender_restrictions=reject_sender_login_mismatch -o milter_macro_daemon_name=ORIGINATING"
    )
    login = "-o smtpd_sasl_auth_enable=yes -o smtpd_relay_restrictions=permit_sasl_authenticated,reject"
    return f"""
127.0.0.1:{w.smtp} inet n - n - - smtpd
127.0.0.1:{w.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt -o smtpd_tls_auth_only=yes {login} {owned}
127.0.0.1:{w.submissions} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes {login} {owned}
127.0.0.1:{w.inject} inet n - n - - smtpd
  -o mynetworks=127.0.0.0/8 -o smtpd_relay_restrictions=permit_mynetworks,reject -o smtpd_milters=
cleanup unix n - n - 0 cleanup
# woken up every second, not 300: see HANDED_OVER_S in tests/adapters/conformance.py
qmgr unix n - n 1 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def transport(w: World) -> str:
    """Postfix's transport table: every domain that is not ours goes to a loopback server or nowhere."""
    lines = [f"{domain} smtp:[127.0.0.1]:{port}" for domain, port in w.remote.items()]
    lines += [f"{domain} lmtp:{where}" for domain, where in w.handed.items()]
    lines += [f"{w.domain} lmtp:inet:127.0.0.1:{w.lmtp}", "* error:5.1.2 no such domain in this world"]
    return "\n".join(lines) + "\n"


def opendkim(w: World) -> str:
    """opendkim.conf; the key files are on the private /mnt that `mail` makes for it."""
    return f"""
Socket local:{w.milter}
UMask 000
UserID opendkim
Mode sv
Domain {w.domain}
Selector t1
KeyFile /mnt/t1.private
TestPublicKeys /mnt/public
Canonicalization relaxed/relaxed
# sign what was submitted with a login; otherwise it would sign all that comes from loopback
MacroList daemon_name|ORIGINATING
InternalHosts 192.0.2.1
AuthservID mx.{w.domain}
AlwaysAddARHeader yes
OversignHeaders From
Syslog no
"""
