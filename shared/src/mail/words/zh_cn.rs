//! Simplified Chinese.
use super::Words;

pub(super) const WORDS: Words = Words {
    hello_before: "您好，",
    hello_after: "：",

    subject_hold: "请确认：",
    subject_confirmed: "预约已确认：",
    subject_confirmed_host: "新预约：",
    subject_confirmed_guest: "会议邀请：",
    subject_rescheduled: "时间已更改：",
    subject_new_host: "主持人已更换：",
    subject_cancelled: "已取消：",
    subject_handover: "已转交：",
    subject_reminder: "会议提醒：",
    with: |title, name| match (title, name) {
        (title, "") => title.to_owned(),
        ("", name) => format!("会议（{name}）"),
        (title, name) => format!("{title}（{name}）"),
    },
    and: "、",
    colon: "：",
    gap: "",

    heading_hold: "请确认这次预约",
    heading_confirmed: "您的预约已确认",
    heading_confirmed_host: "您有一个新预约",
    heading_confirmed_guest: "您受邀参加会议",
    heading_rescheduled: "会议时间已更改",
    heading_new_host: "会议已更换主持人",
    heading_cancelled: "会议已取消",
    heading_handover: "会议已由其他主持人接手",
    heading_reminder: "您的会议即将开始",

    hold_lead: "有人（也许不是您）以您的名义申请了这个时间。该时间已为您保留，但尚未预约成功。",
    hold_action: "确认这次预约",
    hold_lapses: |when| format!("如果无人确认，保留将于{when}失效。"),
    hold_ignore: "如果这不是您的申请，或您不再需要这个时间，请忽略本邮件。忽略是安全的：\
                  只有在链接打开的页面上确认，预约才会生效。",
    guest_lead: "预约这次会议的人将您列为参会嘉宾。",
    handover_lead: "会议将由其他主持人主持，您的这段时间已重新空闲。",

    meeting: "会议",
    when: "时间",
    new_time: "新时间",
    earlier_time: "原时间",
    planned_time: "原定时间",
    bookers_time: "预约人当地时间",
    place: "地点",
    host: "主持人",
    hosts: "主持人",
    booked_by: "预约人",
    address: "电子邮箱",
    guests: "嘉宾",
    note: "备注",
    description: "会议说明",
    cancelled_by: "取消者",
    reason: "原因",

    by_you: "您（通过邮件中的链接）",
    by_booker: "预约人",
    by_host: "主持人",
    by_coordinator: "协调员",

    host_calls: |phone| match phone {
        Some(phone) => format!("电话：主持人将拨打 {phone}"),
        None => "电话：主持人将致电预约人".to_owned(),
    },
    call_host: |phone| format!("电话：请拨打 {phone}"),
    yes: "是",
    no: "否",

    reschedule: "更改时间",
    cancel: "取消预约",
    dashboard: "在 Holdfast 中打开此预约",

    answer_booker: "回复日历邀请（接受、拒绝或暂定）不会更改或取消此预约，只有上面的链接可以。",
    answer_host: "回复日历邀请（接受、拒绝或暂定）不会取消此预约。请在 Holdfast 中取消或更改。",
    answer_guest: "回复日历邀请（接受、拒绝或暂定）不会取消此预约。如果您无法参加，请联系预约人或主持人。",
    file_stays: "之前下载的日历文件不会自动更新。",
    file_attached_move: "本邮件所附的文件包含新时间。",
    file_attached_host: "本邮件所附的文件包含新的主持人。",
    file_attached_cancel: "打开本邮件所附的文件即可从日历中移除该会议。",

    footer: |site| format!("由 {site} 上的 Holdfast 发送"),

    ics_booker: "回复此日历邀请不会取消或更改预约。请使用预约邮件中的链接。",
    ics_host: "回复此日历邀请不会取消或更改预约。请在 Holdfast 中取消或更改。",
    ics_guest: "回复此日历邀请不会取消或更改预约。请联系预约人或主持人。",
    ics_cancelled: "此预约已取消。",
};
